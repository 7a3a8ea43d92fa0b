// Who may be paid: the active staff by name, with what pay is suggested from.
import { useQuery } from '@tanstack/react-query';
import { everyRow } from '#web/lib/files/csv.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const listActiveStaff = () =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('staff')
      .select('id, full_name, salary_amount, payment_frequency')
      .eq('status', 'active')
      .order('full_name')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });

export const useActiveStaff = () =>
  useQuery({ queryKey: ['staff', 'active'], queryFn: listActiveStaff });
