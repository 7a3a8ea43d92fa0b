import { useQuery } from '@tanstack/react-query';
import { sitesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { recordHooks, withoutAuthor } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import type { CsvColumn } from '#web/lib/files/csv.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Site, siteSchema, toForm, toRow } from './schema.ts';
import type { SiteSearch } from './search.ts';

export const sites = recordHooks({
  table: 'sites',
  key: sitesKey,
  name: 'site',
  schema: siteSchema,
  toForm,
  toColumns: toRow,
  toNewRow: withoutAuthor,
});

type Filters = Pick<SiteSearch, 'q' | 'sort' | 'page' | 'position'>;

const SORTS = { name: 'name', client: 'client_name', address: 'address', timezone: 'timezone' };

function sitesQuery({ q = '', sort, position }: Omit<Filters, 'page'>) {
  let query = supabase().from('sites').select('*', { count: 'exact' });
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  if (position === 'none') query = query.is('latitude', null);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'name', ascending: true });
  return query.order(column, { ascending }).order('name').order('id');
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

export type SiteOnMap = { id: string; name: string; latitude: number; longitude: number };

async function fetchSitesOnMap(): Promise<SiteOnMap[]> {
  const { data } = await supabase()
    .from('sites')
    .select('id, name, latitude, longitude')
    .not('latitude', 'is', null)
    .order('name')
    .throwOnError();
  return data.flatMap(({ latitude, longitude, ...site }) =>
    latitude === null || longitude === null ? [] : [{ ...site, latitude, longitude }],
  );
}

export const useSitesOnMap = () =>
  useQuery({ queryKey: [...sitesKey, 'map'], queryFn: fetchSitesOnMap });

async function countRows(table: 'shifts' | 'incidents' | 'user_roles', siteId: string) {
  const { count } = await supabase()
    .from(table)
    .select('*', { count: 'exact', head: true })
    .eq('site_id', siteId)
    .throwOnError();
  return count ?? 0;
}

/** Shifts and incidents prevent the deletion of a site; roles scoped to it are deleted with it. */
export function useSiteDependents(id: string) {
  return useQuery({
    queryKey: [...sitesKey, 'dependents', id],
    queryFn: async () => {
      const [shifts, incidents, supervisors] = await Promise.all([
        countRows('shifts', id),
        countRows('incidents', id),
        // Row-level security shows operations managers only their own roles.
        countRows('user_roles', id),
      ]);
      return { shifts, incidents, supervisors };
    },
    // The delete dialog must never show cached counts.
    gcTime: 0,
  });
}

const COLUMNS: CsvColumn<Site>[] = [
  { heading: 'Site Name', value: (row) => row.name },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Address', value: (row) => row.address },
  { heading: 'Timezone', value: (row) => row.timezone },
  { heading: 'Latitude', value: (row) => row.latitude },
  { heading: 'Longitude', value: (row) => row.longitude },
  { heading: 'Geofence Radius (m)', value: (row) => row.geofence_radius_m },
  { heading: 'County', value: (row) => row.county },
];

export const siteList = listQueries('sites', {
  key: sitesKey,
  tables: 'sites',
  filters: ['q', 'position', 'sort'],
  rows: sitesQuery,
  columns: COLUMNS,
});
