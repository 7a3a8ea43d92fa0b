// What the records of the list add up to. Cancelled ones pay nobody: they count only where the list is of them alone.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { supabase } from '#web/lib/supabase/client.ts';
import { payrollKey } from '../../../lib/data/keys.ts';
import { type PayrollFilters, periodOf } from './list-payroll.ts';

/** Sums come as text: they may hold more digits than a JSON number keeps. */
const sumsSchema = z.object({
  records: z.number(),
  /** So many more are in the list and not in the sums. */
  cancelled: z.number(),
  base: z.string(),
  deductions: z.string(),
  bonuses: z.string(),
  net: z.string(),
});

type Filters = Omit<PayrollFilters, 'sort'>;

async function payrollSums({ q, status, period }: Filters) {
  const [start, end] = periodOf(period);
  const { data } = await supabase()
    .rpc('payroll_sums', {
      ...(q && { p_search: q }),
      ...(status && { p_status: status }),
      ...(start && { p_start: start }),
      ...(end && { p_end: end }),
    })
    .select('records, cancelled, base::text, deductions::text, bonuses::text, net::text')
    .single()
    .throwOnError();
  return sumsSchema.parse(data);
}

export function usePayrollSums(filters: Filters) {
  return useQuery({
    queryKey: [...payrollKey, 'sums', filters],
    queryFn: () => payrollSums(filters),
    placeholderData: keepPreviousData,
  });
}
