// The shift that whoever is signed in is on, or else the one that they may clock in on next today.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { KEPT } from '#web/lib/query-client.ts';
import { useLiveTable } from '#web/lib/realtime.ts';
import { supabase } from '#web/lib/supabase.ts';
import { myShiftsKey } from './my-shifts-key.ts';

async function readCurrentShift() {
  const { data } = await supabase().rpc('my_current_shift').maybeSingle().throwOnError();
  return data;
}

export function currentShiftQuery(userId: string) {
  return queryOptions({
    queryKey: [...myShiftsKey, 'current', userId],
    queryFn: readCurrentShift,
    meta: KEPT,
  });
}

/** @returns among its data null when there is no shift now or later today */
export function useCurrentShift(userId: string) {
  useLiveTable('attendance', myShiftsKey);
  return useQuery(currentShiftQuery(userId));
}
