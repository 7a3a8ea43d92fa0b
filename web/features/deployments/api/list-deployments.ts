// The deployments, newest shift start first, refreshed whenever anyone changes one.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useLiveTable } from '#web/lib/realtime.ts';
import type { Page } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import type { Deployment } from '../schema.ts';
import { deploymentsKey } from './deployments-key.ts';

async function listDeployments(limit: number): Promise<Page<Deployment>> {
  const { data, count } = await supabase()
    .from('deployments')
    .select('*', { count: 'exact' })
    .order('shift_start', { ascending: false })
    .order('id')
    .limit(limit)
    .throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** @param limit how many to load at most; the older ones follow when it grows */
export function deploymentsQuery(limit: number) {
  return queryOptions({
    queryKey: [...deploymentsKey, { limit }],
    queryFn: () => listDeployments(limit),
    placeholderData: keepPreviousData,
  });
}

export function useDeployments(limit: number) {
  useLiveTable('deployments', deploymentsKey);
  return useQuery(deploymentsQuery(limit));
}
