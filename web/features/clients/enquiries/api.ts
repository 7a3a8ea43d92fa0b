import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { enquiriesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { Enquiry, Handling } from './schema.ts';
import type { EnquirySearch } from './search.ts';

export type EnquiryFilters = Pick<EnquirySearch, 'q' | 'state'>;

/** Enquiries that match the search and filter, newest first. */
function enquiriesQuery({ q = '', state }: EnquiryFilters) {
  let query = supabase().from('contact_messages').select('*', { count: 'exact' });
  if (state) query = query.eq('state', state);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  return query.order('created_at', { ascending: false }).order('id');
}

async function fetchEnquiry(id: string) {
  const { data } = await supabase()
    .from('contact_messages')
    .select('*, handler:profiles(full_name, email)')
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

export type HandledEnquiry = NonNullable<Awaited<ReturnType<typeof fetchEnquiry>>>;

/** The data is null if the enquiry does not exist. */
export function useEnquiry(id: string) {
  return useQuery({ queryKey: [...enquiriesKey, 'one', id], queryFn: () => fetchEnquiry(id) });
}

const EXPORT_COLUMNS: TableColumn<Enquiry>[] = [
  { heading: 'Received', kind: 'time', value: (row) => row.created_at },
  { heading: 'Name', value: (row) => row.name },
  { heading: 'Email', value: (row) => row.email },
  { heading: 'Company', value: (row) => row.company },
  { heading: 'Message', value: (row) => row.message },
  { heading: 'State', value: (row) => STATUS_LABELS[row.state] },
  { heading: 'Internal Note', value: (row) => row.note },
];

export const enquiryList = listQueries('enquiries', {
  key: enquiriesKey,
  tables: 'contact_messages',
  filters: ['q', 'state'],
  rows: enquiriesQuery,
  columns: EXPORT_COLUMNS,
});

type EnquiryUpdate = {
  id: string;
  /** `updated_at` of the version on screen. The update fails if the row has changed since. */
  seen: string;
  handling: Handling;
};

async function handleEnquiry({ id, seen, handling }: EnquiryUpdate): Promise<void> {
  const { data } = await supabase()
    .from('contact_messages')
    .update({ state: handling.state, note: handling.note || null })
    .eq('id', id)
    .eq('updated_at', seen)
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) {
    throw new Error(
      'Someone else has just changed this enquiry. Check their changes, then save again.',
    );
  }
}

export function useHandleEnquiry() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: handleEnquiry,
    // After a conflict too, to show the other change.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: enquiriesKey }),
  });
}

async function eraseEnquirer({ id, typed }: { id: string; typed: string }): Promise<void> {
  await supabase().rpc('erase_enquirer', { p_enquiry_id: id, p_name: typed }).throwOnError();
}

export const useEraseEnquirer = () => useChange(enquiriesKey, eraseEnquirer);
