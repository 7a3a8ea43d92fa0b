// One page of the incidents, newest first, refreshed whenever one is reported or goes on.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { incidentsKey } from '../../../lib/data/keys.ts';
import type { IncidentFilters, IncidentRow, IncidentSearch } from '../schema.ts';
import { incidentFilters } from './search-filters.ts';

/** Severity and status by their weight, not by the alphabet. */
const SORTS = {
  title: 'title',
  site: 'sites(name)',
  severity: 'severity_rank',
  status: 'status_rank',
  reported: 'created_at',
};
const NEWEST = { column: 'created_at', ascending: false };

/** @param found what incidentFilters makes of the search */
export function incidentQuery({ status, severity, sort }: IncidentFilters, found: string[]) {
  let query = supabase()
    .from('incidents')
    .select('*, sites(name), evidence(id)', { count: 'exact' });
  if (status === 'active') query = query.in('status', ['open', 'investigating']);
  else if (status) query = query.eq('status', status);
  if (severity) query = query.eq('severity', severity);
  for (const filter of found) query = query.or(filter);
  const { column, ascending } = orderOf(sort, SORTS, NEWEST);
  return query
    .order(column, { ascending })
    .order('created_at', { ascending: false })
    .order('id')
    .returns<IncidentRow[]>();
}

type Filters = Omit<IncidentSearch, 'open'>;

export function useIncidents(filters: Filters) {
  useLiveTable('incidents', incidentsKey);
  return useQuery({
    queryKey: [...incidentsKey, 'list', filters],
    queryFn: async () => {
      const found = await incidentFilters(filters.q ?? '');
      return pageOf(
        await incidentQuery(filters, found).range(...rangeOf(filters.page ?? 1, PAGE_SIZE)),
      );
    },
    placeholderData: keepPreviousData,
  });
}
