// The deployments, newest shift start first, refreshed whenever anyone changes one: growing, or page by page.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { rangeOf } from '#web/lib/data/list-search.ts';
import type { Page } from '#web/lib/data/pages.ts';
import { CARDS_PAGE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { deploymentsKey } from '../../../lib/data/keys.ts';
import type { Deployment, DeploymentSearch } from '../schema.ts';

type Filters = Pick<DeploymentSearch, 'q' | 'status' | 'page'>;

/** The deployments that a search and a filter leave. */
export function deploymentsQuery({ q = '', status }: Omit<Filters, 'page'>) {
  let query = supabase().from('deployments').select('*', { count: 'exact' });
  if (status) query = query.eq('status', status);
  for (const filter of searchFilters(['guard_name', 'location', 'client_name'], q)) {
    query = query.or(filter);
  }
  return query.order('shift_start', { ascending: false }).order('id');
}

async function listDeployments(limit: number): Promise<Page<Deployment>> {
  const { data, count } = await deploymentsQuery({}).limit(limit).throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** @param limit how many to load at most; the older ones follow when it grows */
export function useDeployments(limit: number) {
  useLiveTable('deployments', deploymentsKey);
  return useQuery({
    queryKey: [...deploymentsKey, { limit }],
    queryFn: () => listDeployments(limit),
    placeholderData: keepPreviousData,
  });
}

/** One page of what a search and a filter leave. */
export function deploymentsPageQuery({ q = '', status, page = 1 }: Filters) {
  return queryOptions({
    queryKey: [...deploymentsKey, 'page', { q, status, page }],
    queryFn: async () =>
      pageOf(await deploymentsQuery({ q, status }).range(...rangeOf(page, CARDS_PAGE))),
    placeholderData: keepPreviousData,
  });
}

export function useDeploymentsPage(filters: Filters) {
  useLiveTable('deployments', deploymentsKey);
  return useQuery(deploymentsPageQuery(filters));
}
