// What the roster's draft would change in shifts, before it is published.
import { useQuery } from '@tanstack/react-query';
import { shiftsKey } from '#web/lib/data/keys.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type ShiftFilters, spanOf } from './shift-api.ts';

const DRAFT = ['roster_changes'] as const;
const draftedKey = [...shiftsKey, 'drafted'];

/** Seats of shifts to come that the roster's draft fills and that are not published. */
async function countDrafted(filters: ShiftFilters): Promise<number> {
  const span = spanOf(filters);
  let drafted = supabase()
    .from('roster_changes')
    .select('id', { count: 'exact', head: true })
    .eq('change', 'assign')
    .gte('starts_at', span?.from ?? new Date().toISOString());
  if (span) drafted = drafted.lt('starts_at', span.to);
  if (filters.site) drafted = drafted.eq('site_id', filters.site);
  const { count } = await drafted.throwOnError();
  return count ?? 0;
}

/** @returns undefined for a search, of which the draft knows nothing */
export function useDraftedSeats(filters: ShiftFilters): number | undefined {
  const { q, site, staffing, guard, day } = filters;
  const enabled = !q && !guard && !staffing;
  useLiveTable(DRAFT, draftedKey);
  const { data } = useQuery({
    queryKey: [...draftedKey, { site, day }],
    queryFn: () => countDrafted({ site, day }),
    enabled,
  });
  // A query that is not enabled keeps what it knew.
  return enabled ? data : undefined;
}

/** Names of guards, by what the draft does with them. */
export type DraftedGuards = { planned: string[]; removed: string[] };

async function fetchDraftedGuards(shiftIds: string[]): Promise<Map<string, DraftedGuards>> {
  const { data } = await supabase()
    .from('roster_changes')
    .select('shift_id, change, profiles!roster_changes_user_id_fkey(full_name, email)')
    .in('shift_id', shiftIds)
    .order('created_at')
    .order('id')
    .throwOnError();
  const found = new Map<string, DraftedGuards>();
  for (const { shift_id, change, profiles } of data) {
    const guards = found.get(shift_id) ?? { planned: [], removed: [] };
    guards[change === 'assign' ? 'planned' : 'removed'].push(formatName(profiles));
    found.set(shift_id, guards);
  }
  return found;
}

/** @param shiftIds those of one page of a list @returns by shift; undefined while it loads, or when it can't be loaded */
export function useDraftedGuards(shiftIds: string[]) {
  const { data } = useQuery({
    queryKey: [...draftedKey, 'guards', shiftIds],
    queryFn: () => fetchDraftedGuards(shiftIds),
    enabled: shiftIds.length > 0,
  });
  return data;
}
