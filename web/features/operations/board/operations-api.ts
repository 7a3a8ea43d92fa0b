import { queryOptions } from '@tanstack/react-query';
import { operationsKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { listCounties } from './board-rows.ts';
import { type BoardAnswer, boardSchema } from './operations-schema.ts';
import type { OperationsSearch } from './operations-search.ts';
import { windowAt } from './seat-states.ts';

/** A request that takes longer counts as a lost connection. */
const TIMEOUT_MS = 8_000;

type BoardInput = {
  p_from?: string;
  p_to?: string;
  p_shift_ids?: string[];
  p_state?: string;
  p_client?: string;
  p_supervisor?: string;
  p_counties?: string[];
  p_sites?: string[];
  p_q?: string;
};

async function fetchBoard(input: BoardInput): Promise<BoardAnswer> {
  const { data } = await supabase()
    .rpc('operations_board', input)
    .abortSignal(AbortSignal.timeout(TIMEOUT_MS))
    .throwOnError();
  return boardSchema.parse(data);
}

export type BoardFilters = Pick<
  OperationsSearch,
  'q' | 'state' | 'client' | 'supervisor' | 'region' | 'sites'
>;

/** @param filters only a board that shows a part of the posts needs them */
export function fetchWindow(now: number, filters: BoardFilters = {}): Promise<BoardAnswer> {
  const { q, state, client, supervisor, region, sites } = filters;
  return fetchBoard({
    ...windowAt(now),
    ...(q && { p_q: q }),
    ...(state && { p_state: state }),
    ...(client && { p_client: client }),
    ...(supervisor && { p_supervisor: supervisor }),
    ...(region && { p_counties: [...listCounties(region)] }),
    ...(sites && { p_sites: sites.split(',') }),
  });
}

/** A board begins with it, and keeps itself up to date. */
export const firstWindowQuery = queryOptions({
  queryKey: [...operationsKey, 'window'],
  queryFn: () => fetchWindow(Date.now()),
  gcTime: 5_000,
  structuralSharing: false,
});

/** @param ids none: only asks for the server's time */
export const fetchShifts = (ids: string[]) => fetchBoard({ p_shift_ids: ids });
