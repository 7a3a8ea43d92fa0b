import { useMutation, useQuery } from '@tanstack/react-query';
import { ratesKey } from '#web/lib/data/keys.ts';
import { calculationSchema } from '#web/lib/data/payslips.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { everyRow } from '#web/lib/files/csv.ts';
import { today } from '#web/lib/format/dates.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { formOf, type Rate, rateSchema, rowOf } from './rate-schema.ts';

async function fetchRates(): Promise<Rate[]> {
  const { data } = await supabase()
    .from('pay_rates')
    .select()
    .order('kind')
    .order('effective_from', { ascending: false })
    .order('from_amount')
    .limit(500)
    .throwOnError();
  return data;
}

export function useRates() {
  useLiveTable('pay_rates', ratesKey);
  return useQuery({ queryKey: [...ratesKey, 'list'], queryFn: fetchRates });
}

export const rates = recordHooks({
  table: 'pay_rates',
  key: ratesKey,
  name: 'rate',
  schema: rateSchema,
  formOf,
  toColumns: rowOf,
  toNewRow: withAuthor,
});

async function fetchMinimumWage() {
  const { data } = await supabase()
    .from('pay_rates')
    .select('rate')
    .eq('kind', 'minimum_wage')
    .lte('effective_from', today())
    .order('effective_from', { ascending: false })
    .limit(1)
    .throwOnError();
  return data[0]?.rate ?? null;
}

/** Today's minimum wage, USD a day. */
export const useMinimumWage = () =>
  useQuery({
    queryKey: [...ratesKey, 'minimum_wage'],
    queryFn: fetchMinimumWage,
    select: (rate) => rate ?? undefined,
  });

type Pay = {
  /** Gross, USD. */
  gross: number;
  frequency: string;
  /** yyyy-MM-dd; the rates in force on this day apply. */
  day: string;
};

async function suggestDeductions({ gross, frequency, day }: Pay) {
  const { data } = await supabase()
    .rpc('suggest_deductions', { p_gross: gross, p_frequency: frequency, p_on: day })
    .throwOnError();
  return calculationSchema.parse(data) ?? [];
}

export const useSuggestDeductions = () => useMutation({ mutationFn: suggestDeductions });

const fetchActiveStaff = () =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('staff')
      .select('id, full_name, salary_amount, payment_frequency, pay_basis, currency')
      .eq('status', 'active')
      .order('full_name')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });

/** Active staff by name, with the pay that a new record starts from. */
export const useActiveStaff = () =>
  useQuery({ queryKey: ['staff', 'active'], queryFn: fetchActiveStaff });
