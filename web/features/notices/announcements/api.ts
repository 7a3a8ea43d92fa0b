import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { formatPhone } from '#shared/phone.ts';
import { announcementsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import {
  type Announcement,
  type AnnouncementForm,
  audienceOf,
  type EditForm,
  toAudience,
} from './schema.ts';
import type { AnnouncementSearch, ReaderSearch } from './search.ts';

const TABLES = ['announcements', 'announcement_readings'] as const;

type Filters = Pick<AnnouncementSearch, 'q' | 'state' | 'sort'>;

const SORTS = { title: 'title', written: 'created_at', last: 'last_day' };

function announcementsQuery({ q = '', state, sort }: Filters) {
  let query = supabase().from('announcement_list').select('*', { count: 'exact' });
  if (state !== 'all') query = query.eq('state', state ?? 'current');
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { column, ascending } = parseOrder(sort, SORTS, {
    column: 'created_at',
    ascending: false,
  });
  return query.order(column, { ascending }).order('id').returns<Announcement[]>();
}

const COLUMNS: TableColumn<Announcement>[] = [
  { heading: 'Title', value: (row) => row.title },
  { heading: 'To', value: audienceOf },
  { heading: 'Must Read', value: (row) => (row.must_read ? 'Yes' : 'No') },
  { heading: 'Read', value: (row) => row.readers },
  { heading: 'Not Read', value: (row) => row.unread },
  { heading: 'Written', kind: 'time', value: (row) => row.created_at },
  { heading: 'By', value: (row) => row.author },
  { heading: 'Last Day', kind: 'day', value: (row) => row.last_day },
  { heading: 'State', value: (row) => row.state },
];

export const announcementList = listQueries<Announcement, Filters>('announcements', {
  key: announcementsKey,
  tables: TABLES,
  filters: ['q', 'state', 'sort'],
  rows: announcementsQuery,
  columns: COLUMNS,
});

async function fetchAnnouncement(id: string): Promise<Announcement> {
  const { data } = await supabase()
    .from('announcement_list')
    .select('*')
    .eq('id', id)
    .returns<Announcement[]>()
    .throwOnError();
  const [found] = data;
  if (!found) throw new Error('It was deleted, or its address is wrong.');
  return found;
}

export function useAnnouncement(id: string) {
  useLiveTable(TABLES, announcementsKey);
  return useQuery({
    queryKey: [...announcementsKey, 'one', id],
    queryFn: () => fetchAnnouncement(id),
  });
}

type ReaderFilters = Pick<ReaderSearch, 'q' | 'state' | 'sort'> & { id: string };

const READER_SORTS = { name: 'name', read: 'read_at' };

function readersQuery({ id, q = '', state, sort }: ReaderFilters) {
  let query = supabase()
    .rpc('announcement_readers', { p_id: id }, { get: true, count: 'exact' })
    .select('*');
  if (state === 'read') query = query.not('read_at', 'is', null);
  if (state === 'unread') query = query.is('read_at', null);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { column, ascending } = parseOrder(sort, READER_SORTS, {
    column: 'read_at',
    ascending: false,
  });
  // Those who have not read it first.
  return query.order(column, { ascending, nullsFirst: !ascending }).order('name').order('id');
}

export type Reader = Awaited<ReturnType<typeof readersQuery>>['data'] extends (infer Row)[] | null
  ? Row
  : never;

const READER_COLUMNS: TableColumn<Reader>[] = [
  { heading: 'Name', value: (row) => row.name },
  { heading: 'Phone', value: (row) => row.phone && formatPhone(row.phone) },
  { heading: 'Read', kind: 'time', value: (row) => row.read_at },
  { heading: 'Received', kind: 'time', value: (row) => row.received_at },
];

export const readerList = listQueries<Reader, ReaderFilters>('people', {
  key: announcementsKey,
  tables: TABLES,
  filters: ['id', 'q', 'state', 'sort'],
  rows: readersQuery,
  columns: READER_COLUMNS,
  file: 'announcement-readers',
});

type ReachArgs = NonNullable<ReturnType<typeof toAudience>>;

async function fetchReach(audience: ReachArgs) {
  const { data } = await supabase()
    .rpc('announcement_reach', audience, { get: true })
    .throwOnError();
  return data;
}

/** How many people an announcement would reach today. @param audience undefined until it is chosen */
export const useReach = (audience: ReachArgs | undefined) =>
  useQuery({
    queryKey: [...announcementsKey, 'reach', audience ?? null],
    queryFn: () => (audience ? fetchReach(audience) : 0),
    enabled: audience !== undefined,
    placeholderData: keepPreviousData,
  });

type NewAnnouncement = {
  /** Made when the form opened, so that a repeat publishes once. */
  id: string;
  form: AnnouncementForm;
};

async function publish({ id, form }: NewAnnouncement): Promise<number> {
  const audience = toAudience(form);
  if (!audience) throw new Error('Choose whom it is for.');
  const { data } = await supabase()
    .rpc('publish_announcement', {
      p_id: id,
      p_title: form.title,
      p_body: form.body,
      p_must_read: form.must_read,
      p_last_day: form.last_day,
      ...audience,
      ...(form.audience === 'region' && { p_region: form.region }),
    })
    .throwOnError();
  return data;
}

export const usePublish = () => useChange(announcementsKey, publish);

type Edit = { id: string; form: EditForm };

async function edit({ id, form }: Edit): Promise<void> {
  await supabase()
    .rpc('edit_announcement', {
      p_id: id,
      p_title: form.title,
      p_body: form.body,
      p_must_read: form.must_read,
      p_last_day: form.last_day,
      p_read_again: form.read_again,
    })
    .throwOnError();
}

export const useEdit = () => useChange(announcementsKey, edit);

async function withdraw(id: string): Promise<void> {
  await supabase().rpc('withdraw_announcement', { p_id: id }).throwOnError();
}

export const useWithdraw = () => useChange(announcementsKey, withdraw);
