// One page of the enquiries, newest first, refreshed whenever one arrives or changes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PAGE_SIZE, pageOf } from '#web/lib/list-page.ts';
import { rangeOf } from '#web/lib/list-search.ts';
import { useLiveTable } from '#web/lib/realtime.ts';
import { searchFilters } from '#web/lib/search-filter.ts';
import { supabase } from '#web/lib/supabase.ts';
import type { EnquirySearch } from '../schema.ts';
import { enquiriesKey } from './enquiries-key.ts';

const SEARCHED = ['name', 'email', 'company', 'message', 'note'];

type Filters = Pick<EnquirySearch, 'q' | 'state' | 'page'>;

async function listEnquiries({ q = '', state, page = 1 }: Filters) {
  let query = supabase().from('contact_messages').select('*', { count: 'exact' });
  if (state) query = query.eq('state', state);
  for (const filter of searchFilters(SEARCHED, q)) query = query.or(filter);
  return pageOf(
    await query
      .order('created_at', { ascending: false })
      .order('id')
      .range(...rangeOf(page, PAGE_SIZE)),
  );
}

export function useEnquiries({ q, state, page }: Filters) {
  useLiveTable('contact_messages', enquiriesKey);
  return useQuery({
    queryKey: [...enquiriesKey, 'list', { q, state, page }],
    queryFn: () => listEnquiries({ q, state, page }),
    placeholderData: keepPreviousData,
  });
}
