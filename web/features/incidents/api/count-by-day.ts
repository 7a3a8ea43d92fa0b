// How many incidents of each severity were reported on each of the last 30 days, today included.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { incidentsKey } from '../../../lib/data/keys.ts';

async function countByDay() {
  const { data } = await supabase().rpc('incidents_by_day', { p_days: 30 }).throwOnError();
  return data;
}

export const useIncidentsByDay = () =>
  useQuery({ queryKey: [...incidentsKey, 'by day'], queryFn: countByDay });
