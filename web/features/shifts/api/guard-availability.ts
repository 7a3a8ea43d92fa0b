// Every guard, with what stands in the way of this shift and what to think twice about.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';
import type { Shift } from '../schema.ts';

type Work = Pick<Shift, 'id' | 'site_id' | 'start_time' | 'end_time'>;

async function guardAvailability({ id, site_id, start_time, end_time }: Work) {
  const { data } = await supabase()
    .rpc('guard_availability', {
      p_site_id: site_id,
      p_start: start_time,
      p_end: end_time,
      p_shift_id: id,
    })
    .throwOnError();
  return data;
}

export type Available = Awaited<ReturnType<typeof guardAvailability>>[number];

export function useGuardAvailability({ id, site_id, start_time, end_time }: Work) {
  return useQuery({
    queryKey: [...shiftsKey, 'availability', id, site_id, start_time, end_time],
    queryFn: () => guardAvailability({ id, site_id, start_time, end_time }),
  });
}
