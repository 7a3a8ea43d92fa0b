import { useQuery } from '@tanstack/react-query';
import { everyRow } from '#web/lib/data/every-row.ts';
import { importRecords } from '#web/lib/data/import-records.ts';
import { sitesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { fetchClients } from '#web/lib/data/lookups.ts';
import { recordHooks, withoutAuthor } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { ImportedRecord } from '#web/lib/files/read-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { EXPORT_COLUMNS, findSiteProblems, linkClients } from './import.ts';
import { siteSchema, toForm, toRow } from './schema.ts';
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

const fetchSiteNames = () =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('sites')
      .select('name, client_name')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });

/** For the preview of an import: what is wrong with each record, or null. */
export async function checkSites(records: ImportedRecord[]): Promise<(string | null)[]> {
  const [sites, clients] = await Promise.all([fetchSiteNames(), fetchClients()]);
  return findSiteProblems(records, { sites, clients });
}

type SiteFile = { rows: ImportedRecord[]; numbers: number[] };

async function importSites({ rows, numbers }: SiteFile): Promise<number> {
  const linked = linkClients(rows, await fetchClients());
  return importRecords({ table: 'sites', rows: linked, numbers });
}

export const useImportSites = () => useChange(sitesKey, importSites);

export const siteList = listQueries('sites', {
  key: sitesKey,
  tables: 'sites',
  filters: ['q', 'position', 'sort'],
  rows: sitesQuery,
  columns: EXPORT_COLUMNS,
});
