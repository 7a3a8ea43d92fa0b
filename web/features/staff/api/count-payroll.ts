// How many payroll records depend on a staff record: while there is one, it can't be deleted.
import { useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { staffKey } from '../../../lib/data/keys.ts';

async function countPayroll(staffId: string): Promise<number> {
  const { count } = await supabase()
    .from('payroll')
    .select('id', { count: 'exact', head: true })
    .eq('staff_id', staffId)
    .throwOnError();
  return count ?? 0;
}

export function usePayrollCount(staffId: string) {
  return useQuery({
    queryKey: [...staffKey, 'payroll', staffId],
    queryFn: () => countPayroll(staffId),
    // Read again each time the dialog opens.
    gcTime: 0,
  });
}
