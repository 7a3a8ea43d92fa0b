// The totals of each pay period, newest first.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { centsOf } from '#shared/money.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { payrollKey } from '../../../lib/data/keys.ts';

const cents = z
  .string()
  .nullable()
  .transform((amount) => centsOf(amount));

/** Amounts come as text: a sum may hold more digits than a JSON number keeps. */
const periodsSchema = z.array(
  z.object({
    period_start: z.string(),
    period_end: z.string(),
    records: z.number(),
    base: cents,
    deductions: cents,
    bonuses: cents,
    net: cents,
    unpaid: cents,
  }),
);

/** About a year of months and weeks together. */
const SHOWN = 100;

async function listPeriods() {
  const { data } = await supabase()
    .rpc('payroll_totals')
    .select(
      'period_start, period_end, records, base::text, deductions::text, bonuses::text, net::text, unpaid::text',
    )
    .limit(SHOWN)
    .throwOnError();
  return periodsSchema.parse(data);
}

export type Period = z.infer<typeof periodsSchema>[number];

export const usePeriods = () =>
  useQuery({ queryKey: [...payrollKey, 'periods'], queryFn: listPeriods });
