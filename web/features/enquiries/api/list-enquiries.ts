// One page of the enquiries, newest first, refreshed whenever one arrives or changes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { enquiriesKey } from '../../../lib/data/keys.ts';
import type { EnquirySearch } from '../schema.ts';

const SEARCHED = ['name', 'email', 'company', 'message', 'note'];

export type EnquiryFilters = Pick<EnquirySearch, 'q' | 'state'>;

/** The enquiries that a search and a filter leave, newest first. */
export function enquiriesQuery({ q = '', state }: EnquiryFilters) {
  let query = supabase().from('contact_messages').select('*', { count: 'exact' });
  if (state) query = query.eq('state', state);
  for (const filter of searchFilters(SEARCHED, q)) query = query.or(filter);
  return query.order('created_at', { ascending: false }).order('id');
}

export function useEnquiries({ q, state, page = 1 }: EnquiryFilters & { page?: number }) {
  useLiveTable('contact_messages', enquiriesKey);
  return useQuery({
    queryKey: [...enquiriesKey, 'list', { q, state, page }],
    queryFn: async () =>
      pageOf(await enquiriesQuery({ q, state }).range(...rangeOf(page, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
