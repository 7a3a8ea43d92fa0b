// What somebody's salary was, and when it changed: from the activity log.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { supabase } from '#web/lib/supabase/client.ts';
import { staffKey } from '../../../lib/data/keys.ts';

/** An entry of the log holds only the columns that changed. */
const pay = z
  .object({ salary_amount: z.coerce.number(), payment_frequency: z.string() })
  .partial()
  .catch({});

/** @returns newest first: the first record, and each change of salary or frequency */
async function listSalaries(id: string) {
  const { data } = await supabase()
    .from('audit_log')
    .select('id, at, actor_email, new_values')
    .eq('table_name', 'staff')
    .eq('row_id', id)
    .order('at')
    .order('id')
    .throwOnError();
  let now: z.infer<typeof pay> = {};
  const changes = data.flatMap(({ id: entry, at, actor_email, new_values }) => {
    const { salary_amount = now.salary_amount, payment_frequency = now.payment_frequency } =
      pay.parse(new_values ?? {});
    const isSame =
      salary_amount === now.salary_amount && payment_frequency === now.payment_frequency;
    now = { salary_amount, payment_frequency };
    return isSame ? [] : [{ entry, at, actor: actor_email, ...now }];
  });
  return changes.toReversed();
}

export const useSalaries = (id: string) =>
  useQuery({ queryKey: [...staffKey, 'salaries', id], queryFn: () => listSalaries(id) });
