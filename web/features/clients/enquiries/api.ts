import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { enquiriesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type Enquiry, type Handling, handlingColumns } from './schema.ts';
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
    .select('*, handler:profiles!handled_by(full_name, email)')
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
  { heading: 'Stage', value: (row) => STATUS_LABELS[row.stage] },
  { heading: 'Next Action', value: (row) => row.next_action },
  { heading: 'On', kind: 'day', value: (row) => row.next_action_on },
  { heading: 'Reason', value: (row) => row.lost_reason },
];

export const enquiryList = listQueries('enquiries', {
  key: enquiriesKey,
  tables: 'contact_messages',
  filters: ['q', 'state'],
  rows: enquiriesQuery,
  columns: EXPORT_COLUMNS,
});

async function fetchOwners() {
  const { data } = await supabase().rpc('enquiry_owners').throwOnError();
  return data;
}

/** Who may own an enquiry, by name. */
export const useOwners = () =>
  useQuery({ queryKey: [...enquiriesKey, 'owners'], queryFn: fetchOwners, staleTime: 60_000 });

/** What was won or lost longer ago is only in the list. */
const SHOWN_DAYS = 90;
const MOST_CARDS = 500;

async function fetchPipeline() {
  const since = dayAfter(today(), -SHOWN_DAYS);
  const { data } = await supabase()
    .from('contact_messages')
    .select(
      '*, owner:profiles!owner_id(full_name, email), quotes(currency, total, status, version)',
    )
    .or(`state.neq.closed,and(stage.in.(won,lost),handled_at.gte.${since})`)
    .order('next_action_on', { nullsFirst: false })
    .order('created_at', { ascending: false })
    .order('id')
    .limit(MOST_CARDS)
    .throwOnError();
  return data;
}

export type PipelineCard = Awaited<ReturnType<typeof fetchPipeline>>[number];

/** What is open, and what was won or lost of late; what is due first comes first. */
export const usePipeline = () =>
  useLiveQuery(['contact_messages', 'quotes'], enquiriesKey, {
    queryKey: [...enquiriesKey, 'pipeline'],
    queryFn: fetchPipeline,
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
    .update(handlingColumns(handling))
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
