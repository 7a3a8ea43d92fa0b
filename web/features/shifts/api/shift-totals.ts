// How many shifts the filters leave, and how many guards these have and need.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase.ts';
import { type ShiftFilters, spanOf } from './list-shifts.ts';
import { shiftsKey } from './shifts-key.ts';

async function shiftTotals(filters: ShiftFilters) {
  const { q, site, staffing } = filters;
  const { from, to } = spanOf(filters);
  const { data } = await supabase()
    .rpc('shift_totals', {
      p_from: from,
      ...(to && { p_to: to }),
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
    placeholderData: keepPreviousData,
  });
}
