// Who is away in a month: approved leave that touches it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { everyRow } from '#web/lib/files/csv.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { leaveKey } from '../../../lib/data/keys.ts';

const listAway = (first: string, last: string) =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('leave_overview')
      .select('id, person_name, start_date, end_date')
      .eq('status', 'approved')
      .lte('start_date', last)
      .gte('end_date', first)
      .order('person_name')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });

/** @param first yyyy-MM-dd, like `last` */
export function useAway(first: string, last: string) {
  return useQuery({
    queryKey: [...leaveKey, 'away', first],
    queryFn: () => listAway(first, last),
    placeholderData: keepPreviousData,
  });
}
