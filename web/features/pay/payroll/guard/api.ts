import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { PAY_BASES_CURRENCY, PAYROLL_PAYMENT_STATUS, STAFF_ROLE } from '#shared/database.values.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { payrollKey } from '#web/lib/data/keys.ts';
import { calculationSchema, type Payslip, slipSchema } from '#web/lib/data/payslips.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** Columns that the generated types of a function give as plain text or JSON. */
const typedSchema = z.object({
  role: z.enum(STAFF_ROLE),
  payment_status: z.enum(PAYROLL_PAYMENT_STATUS),
  calculation: calculationSchema,
  currency: z.enum(PAY_BASES_CURRENCY),
  payslips: slipSchema.nullable(),
});

async function fetchPayslips(): Promise<Payslip[]> {
  const { data } = await supabase().rpc('my_payslips', undefined, { get: true }).throwOnError();
  return data.map((row) => {
    const { role, ...typed } = typedSchema.parse(row);
    const { full_name, tin, nasscorp_number } = row;
    return { ...row, ...typed, staff: { full_name, role, tin, nasscorp_number } };
  });
}

function payslipsQuery(userId: string) {
  return queryOptions({
    queryKey: [...payrollKey, 'own', userId],
    queryFn: fetchPayslips,
    meta: PERSISTED,
  });
}

/** The signed-in user's payslips, newest period first. */
export const usePayslips = (userId: string) =>
  useLiveQuery('payroll', payrollKey, payslipsQuery(userId));
