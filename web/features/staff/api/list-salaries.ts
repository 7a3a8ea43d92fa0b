// What somebody's salary was, and when it changed: from the activity log.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { supabase } from '#web/lib/supabase.ts';
import { staffKey } from './staff-key.ts';

const pay = z
  .object({ salary_amount: z.coerce.number(), payment_frequency: z.string() })
  .nullable()
  .catch(null);

/** @returns newest first: each change of salary or frequency, and the first record */
async function listSalaries(id: string) {
  const { data } = await supabase()
    .from('audit_log')
    .select('id, at, actor_email, old_values, new_values')
    .eq('table_name', 'staff')
    .eq('row_id', id)
    .order('at', { ascending: false })
    .limit(200)
    .throwOnError();
  return data.flatMap(({ id: entry, at, actor_email, old_values, new_values }) => {
    const now = pay.parse(new_values);
    const before = pay.parse(old_values);
    const isSame =
      before?.salary_amount === now?.salary_amount &&
      before?.payment_frequency === now?.payment_frequency;
    return now === null || isSame ? [] : [{ entry, at, actor: actor_email, ...now }];
  });
}

export const useSalaries = (id: string) =>
  useQuery({ queryKey: [...staffKey, 'salaries', id], queryFn: () => listSalaries(id) });
