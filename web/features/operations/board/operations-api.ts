import { queryOptions } from '@tanstack/react-query';
import { everyRow } from '#web/lib/data/every-row.ts';
import { operationsKey } from '#web/lib/data/keys.ts';
import { ofPlace, type Place } from '#web/lib/data/place.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { listCounties } from '#web/lib/vocabulary/regions.ts';
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

/** Of one request to operations_board. */
const MOST_SHIFTS = 1_000;

async function fetchShiftIds(place: Place, now: number): Promise<string[]> {
  const { p_from, p_to } = windowAt(now);
  const rows = await everyRow(async (first, last) => {
    const { data } = await supabase()
      .from('shifts')
      .select('id, sites!inner(client_id)')
      .eq(...ofPlace(place))
      .gt('end_time', p_from)
      .lt('start_time', p_to)
      .order('id')
      .range(first, last)
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS))
      .throwOnError();
    return data;
  });
  return rows.map(({ id }) => id);
}

/** The board's answer about the shifts of one site or client alone. */
export async function fetchPlace(place: Place, now: number): Promise<BoardAnswer> {
  const ids = await fetchShiftIds(place, now);
  let answer = await fetchShifts(ids.slice(0, MOST_SHIFTS));
  for (let from = MOST_SHIFTS; from < ids.length; from += MOST_SHIFTS) {
    const { sites, shifts } = await fetchShifts(ids.slice(from, from + MOST_SHIFTS));
    answer = {
      ...answer,
      sites: [...answer.sites, ...sites],
      shifts: [...answer.shifts, ...shifts],
    };
  }
  return answer;
}

/** Of these shifts, those at the place: a change may be of any site. */
export async function fetchShiftsAt(place: Place, ids: string[], now: number) {
  if (ids.length === 0) return fetchShifts([]);
  const own = new Set(await fetchShiftIds(place, now));
  return fetchShifts(ids.filter((id) => own.has(id)));
}
