// How many shifts the filters leave, and how many guards these have and need.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';
import { refreshOf, type ShiftFilters, spanOf } from './list-shifts.ts';

async function shiftTotals(filters: ShiftFilters) {
  const { q, site, staffing } = filters;
  const span = spanOf(filters);
  const { data } = await supabase()
    .rpc('shift_totals', {
      // Without a span it counts the shifts that are not over.
      ...(span && { p_from: span.from, p_to: span.to }),
      ...(site && { p_site_id: site }),
      ...(staffing && { p_staffing: staffing }),
      ...(q && { p_search: q }),
    })
    .single()
    .throwOnError();
  return data;
}

export function useShiftTotals(filters: ShiftFilters) {
  return useQuery({
    queryKey: [...shiftsKey, 'totals', filters],
    queryFn: () => shiftTotals(filters),
    refetchInterval: refreshOf(filters),
    placeholderData: keepPreviousData,
  });
}
