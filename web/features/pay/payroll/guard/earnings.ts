// What the guard has earned so far, as my_earnings estimates it with the function of the pay run.
import { queryOptions } from '@tanstack/react-query';
import { format, parseISO } from 'date-fns';
import { z } from 'zod';
import { PAY_BASES_BASIS, PAY_BASES_CURRENCY } from '#shared/database.values.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import { payrollKey } from '#web/lib/data/keys.ts';
import { endOfMonth, formatDay, formatMinutes } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const earningSchema = z.object({
  /** yyyy-MM-dd */
  period_start: z.string(),
  period_end: z.string(),
  currency: z.enum(PAY_BASES_CURRENCY),
  basis: z.enum(PAY_BASES_BASIS),
  minutes: z.number(),
  amount: z.number(),
});

export type Earning = z.infer<typeof earningSchema>;

async function fetchEarnings(): Promise<Earning[]> {
  const { data } = await supabase().rpc('my_earnings', undefined, { get: true }).throwOnError();
  return z.array(earningSchema).parse(data);
}

/** One row a currency; none without a pay basis. Not stored on the phone, which others may hold. */
export const earningsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...payrollKey, 'earnings', userId],
    queryFn: fetchEarnings,
    staleTime: 5 * 60_000,
  });

/** @returns for example "US$128": an estimate has no cents */
export function formatAbout(amount: number, currency: string): string {
  const cents = parseCents(amount);
  const rounded = ((cents + (cents < 0n ? -50n : 50n)) / 100n) * 100n;
  const text = formatMoney(rounded, currency).replace(/\.00$/, '');
  return currency === 'USD' ? text.replace('$', 'US$') : text;
}

/** @returns for example "So far in November: 143 h, about US$128 before deductions" */
export function describeEarning({ period_start, period_end, ...earning }: Earning): string {
  const { basis, minutes, amount, currency } = earning;
  const isMonth = period_start.endsWith('-01') && period_end === endOfMonth(period_start);
  const when = isMonth
    ? `in ${format(parseISO(period_start), 'MMMM')}`
    : `since ${formatDay(period_start)}`;
  const about = `about ${formatAbout(amount, currency)} before deductions`;
  return basis === 'salary'
    ? `So far ${when}: ${formatMinutes(minutes)}; your salary and what comes on top, ${about}`
    : `So far ${when}: ${formatMinutes(minutes)}, ${about}`;
}
