// One page of the sites, by name unless another order is chosen, refreshed whenever one changes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { sitesKey } from '../../../lib/data/keys.ts';
import type { SiteSearch } from '../schema.ts';

type Filters = Pick<SiteSearch, 'q' | 'sort' | 'page' | 'position'>;

const SORTS = { name: 'name', client: 'client_name', address: 'address', timezone: 'timezone' };

/** The sites that a search leaves, in the order of the screen. */
export function sitesQuery({ q = '', sort, position }: Omit<Filters, 'page'>) {
  let query = supabase().from('sites').select('*', { count: 'exact' });
  for (const filter of searchFilters(['name', 'client_name', 'address'], q)) {
    query = query.or(filter);
  }
  if (position === 'none') query = query.is('latitude', null);
  const { column, ascending } = orderOf(sort, SORTS, { column: 'name', ascending: true });
  return query.order(column, { ascending }).order('name').order('id');
}

export function useSites(filters: Filters) {
  useLiveTable('sites', sitesKey);
  return useQuery({
    queryKey: [...sitesKey, 'list', filters],
    queryFn: async () =>
      pageOf(await sitesQuery(filters).range(...rangeOf(filters.page ?? 1, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}

async function countSitesWithoutPosition(): Promise<number> {
  const { count } = await supabase()
    .from('sites')
    .select('id', { count: 'exact', head: true })
    .is('latitude', null)
    .throwOnError();
  return count ?? 0;
}

export const useSitesWithoutPosition = () =>
  useQuery({ queryKey: [...sitesKey, 'without position'], queryFn: countSitesWithoutPosition });
