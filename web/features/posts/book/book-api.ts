// The book of a site for the office.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { postBookKey, sitesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { formatCsvTime } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { lineLabel } from '#web/lib/vocabulary/book.ts';

const TABLES = ['post_entries', 'visits', 'key_movements', 'handover_notes'] as const;

/** Of book_of_site. */
export const LINES_A_PAGE = 200;
/** The rest is in other days. */
const MOST_EXPORTED = 10_000;

export type BookFilters = {
  siteId: string;
  /** The last day, yyyy-MM-dd. */
  day: string;
  span: number;
  search: string;
  kind: string | undefined;
};

async function fetchLines({ siteId, day, span, search, kind }: BookFilters, page: number) {
  const { data } = await supabase()
    .rpc(
      'book_of_site',
      {
        ...{ p_site_id: siteId, p_from: dayAfter(day, 1 - span), p_to: day, p_page: page },
        ...(search !== '' && { p_search: search }),
        ...(kind !== undefined && { p_kinds: [kind] }),
      },
      { get: true },
    )
    .throwOnError();
  return data;
}
export type OfficeLine = Awaited<ReturnType<typeof fetchLines>>[number];

export const useBookLines = (filters: BookFilters, page: number) =>
  useLiveQuery(TABLES, postBookKey, {
    queryKey: [...postBookKey, 'lines', filters, page],
    queryFn: () => fetchLines(filters, page),
    placeholderData: keepPreviousData,
  });

/** Who is inside, and which keys are out. */
async function fetchOpen(siteId: string) {
  const [visits, keys] = await Promise.all([
    supabase()
      .from('visits')
      .select('id, kind, name, company, host, plate, badge, in_at')
      .eq('site_id', siteId)
      .is('out_at', null)
      .is('struck_at', null)
      .order('in_at', { ascending: false })
      .limit(500)
      .throwOnError(),
    supabase()
      .from('key_movements')
      .select('id, key_name, taken_by, due_at, out_at')
      .eq('site_id', siteId)
      .is('in_at', null)
      .is('struck_at', null)
      .order('out_at', { ascending: false })
      .limit(200)
      .throwOnError(),
  ]);
  return { visits: visits.data, keys: keys.data };
}
export type OpenBook = Awaited<ReturnType<typeof fetchOpen>>;

export const useOpenBook = (siteId: string) =>
  useLiveQuery(TABLES, postBookKey, {
    queryKey: [...postBookKey, 'open', siteId],
    queryFn: () => fetchOpen(siteId),
  });

async function fetchSite(id: string) {
  const { data } = await supabase()
    .from('sites')
    .select('id, name, timezone')
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useBookSite = (id: string) =>
  useQuery({ queryKey: [...sitesKey, 'of book', id], queryFn: () => fetchSite(id) });

const strike = async ({ line, reason }: { line: OfficeLine; reason: string }) =>
  void (await supabase()
    .rpc('strike_line', { p_source: line.source, p_id: line.id, p_reason: reason })
    .throwOnError());
const signOut = async (id: string) =>
  void (await supabase().rpc('sign_out_visitor', { p_visit_id: id }).throwOnError());
const takeBack = async (id: string) =>
  void (await supabase().rpc('return_key', { p_movement_id: id }).throwOnError());

export const useStrikeLine = () => useChange(postBookKey, strike);
export const useSignOut = () => useChange(postBookKey, signOut);
export const useTakeBack = () => useChange(postBookKey, takeBack);

const columnsOf = (zone: string): TableColumn<OfficeLine>[] => [
  { heading: 'When', kind: 'time', value: ({ at }) => formatCsvTime(at, zone) },
  { heading: 'Kind', value: ({ kind, step }) => lineLabel(kind, step) },
  { heading: 'Text', value: ({ words }) => words },
  { heading: 'By', value: ({ author }) => author },
  { heading: 'Post', value: ({ post_name }) => post_name },
  {
    heading: 'Struck Through',
    kind: 'time',
    value: ({ struck_at }) => struck_at && formatCsvTime(struck_at, zone),
  },
  { heading: 'Struck By', value: ({ struck_by }) => struck_by },
  { heading: 'Reason', value: ({ strike_reason }) => strike_reason },
];

export async function exportBook(
  filters: BookFilters,
  zone: string,
  format: TableFormat,
): Promise<void> {
  const lines: OfficeLine[] = [];
  for (let page = 1; lines.length < MOST_EXPORTED; page += 1) {
    const next = await fetchLines(filters, page);
    lines.push(...next);
    if (next.length < LINES_A_PAGE) break;
  }
  await downloadTable(format, 'book', columnsOf(zone), lines);
}
