// The payslips of whoever is signed in, newest period first.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { KEPT } from '#web/lib/cache/query-client.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { payrollKey } from '../../../lib/data/keys.ts';
import { calculationSchema, type Payslip, STATUSES } from '../schema.ts';

/** What the database types of a function can't say: which words a text may be. */
const wordsSchema = z.object({
  role: z.enum(['admin', 'guard']),
  payment_status: z.enum(STATUSES),
  calculation: calculationSchema,
});

async function listMyPayslips(): Promise<Payslip[]> {
  const { data } = await supabase().rpc('my_payslips').throwOnError();
  return data.map((row) => {
    const { role, ...words } = wordsSchema.parse(row);
    return { ...row, ...words, staff: { full_name: row.full_name, role } };
  });
}

export function myPayslipsQuery(userId: string) {
  return queryOptions({
    queryKey: [...payrollKey, 'own', userId],
    queryFn: listMyPayslips,
    meta: KEPT,
  });
}

export function useMyPayslips(userId: string) {
  useLiveTable('payroll', payrollKey);
  return useQuery(myPayslipsQuery(userId));
}
