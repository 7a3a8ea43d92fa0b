import { useQuery } from '@tanstack/react-query';
import { insertOnce } from '#web/lib/data/insert-once.ts';
import { postOrdersKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { ListedOrder, OrderForm, PostOrder } from './schema.ts';
import type { OrderSearch } from './search.ts';

const TABLES = ['post_orders', 'post_order_readings'] as const;
const SORTS = { site: 'site_name', title: 'title', from: 'valid_from' };

type Filters = Pick<OrderSearch, 'q' | 'sort' | 'site'>;

function ordersQuery({ q = '', sort, site }: Filters) {
  let query = supabase().from('newest_post_orders').select('*', { count: 'exact' });
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  if (site !== undefined) query = query.eq('site_id', site);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'site_name', ascending: true });
  return query.order(column, { ascending }).order('post_name', { nullsFirst: true }).order('id');
}

const COLUMNS: TableColumn<ListedOrder>[] = [
  { heading: 'Site', value: (row) => row.site_name },
  { heading: 'Post', value: (row) => row.post_name },
  { heading: 'Title', value: (row) => row.title },
  { heading: 'Version', value: (row) => row.version },
  { heading: 'Valid From', kind: 'day', value: (row) => row.valid_from },
];

export const orderList = listQueries('post orders', {
  key: postOrdersKey,
  tables: TABLES,
  filters: ['q', 'site', 'sort'],
  rows: ordersQuery,
  columns: COLUMNS,
});

type Opened = PostOrder & { sites: { name: string }; posts: { name: string } | null };

async function fetchOrder(id: string): Promise<Opened | null> {
  const { data } = await supabase()
    .from('post_orders')
    .select('*, sites(name), posts(name)')
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useOrder = (id: string) =>
  useQuery({ queryKey: [...postOrdersKey, 'one', id], queryFn: () => fetchOrder(id) });

async function fetchVersions({ site_id, post_id }: PostOrder) {
  const query = supabase()
    .from('post_orders')
    .select('id, version, valid_from, created_at, author:profiles!created_by(full_name, email)')
    .eq('site_id', site_id);
  const ofPlace = post_id === null ? query.is('post_id', null) : query.eq('post_id', post_id);
  const { data } = await ofPlace.order('version', { ascending: false }).limit(200).throwOnError();
  return data;
}

/** Newest first. */
export const useVersions = (order: PostOrder) =>
  useQuery({
    queryKey: [...postOrdersKey, 'versions', order.site_id, order.post_id],
    queryFn: () => fetchVersions(order),
  });

async function fetchReaders(id: string) {
  const { data } = await supabase().rpc('post_order_readers', { p_order_id: id }).throwOnError();
  return data;
}

/** Guards with a shift under this version, those who have not read it first. */
export const useReaders = (id: string) =>
  useQuery({ queryKey: [...postOrdersKey, 'readers', id], queryFn: () => fetchReaders(id) });

type NewVersion = {
  /** Made when the form opened, so that a repeated save stores one version. */
  id: string;
  form: OrderForm;
};

async function addVersion({ id, form }: NewVersion): Promise<void> {
  const { post_id, ...rest } = form;
  const row = { id, ...rest, post_id: post_id || null };
  await insertOnce(row, {
    insert: () => supabase().from('post_orders').insert(row).throwOnError(),
    fetchStored: () => supabase().from('post_orders').select('*').eq('id', id).maybeSingle(),
  });
}

export const useAddVersion = () => useChange(postOrdersKey, addVersion);
