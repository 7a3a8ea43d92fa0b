import { useMutation, useQuery } from '@tanstack/react-query';
import { everyRow } from '#web/lib/data/every-row.ts';
import { ratesKey } from '#web/lib/data/keys.ts';
import { calculationSchema } from '#web/lib/data/payslips.ts';
import { existing, recordChanges, withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { today } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Proposal, type Rate, toRow } from './rate-schema.ts';

async function fetchRates(): Promise<{ rates: Rate[]; proposals: Proposal[] }> {
  const [pay, tax, proposed] = await Promise.all([
    supabase()
      .from('pay_rates')
      .select('id, kind, effective_from, from_amount, rate, source')
      .order('kind')
      .order('effective_from', { ascending: false })
      .order('from_amount')
      .limit(500)
      .throwOnError(),
    supabase()
      .from('tax_rates')
      .select('id, name, effective_from, rate, source')
      .order('name')
      .order('effective_from', { ascending: false })
      .limit(500)
      .throwOnError(),
    supabase()
      .from('rate_proposals')
      .select('*, profiles(full_name, email)')
      .order('effective_from')
      .order('kind')
      .order('from_amount')
      .limit(500)
      .returns<Proposal[]>()
      .throwOnError(),
  ]);
  const taxes = tax.data.map((row) => ({ ...row, kind: 'tax' as const, from_amount: 0 }));
  return {
    rates: [...pay.data.map((row) => ({ ...row, name: null })), ...taxes],
    proposals: proposed.data,
  };
}

export const useRates = () =>
  useLiveQuery(['pay_rates', 'tax_rates', 'rate_proposals'], ratesKey, {
    queryKey: [...ratesKey, 'list'],
    queryFn: fetchRates,
  });

/** Proposals; approveRate puts them in force. */
export const proposals = recordChanges({
  table: 'rate_proposals',
  key: ratesKey,
  name: 'proposed rate',
  toColumns: toRow,
  toNewRow: withAuthor,
  duplicate: 'A rate of this kind is proposed from that day already.',
});

async function approveRate(id: string) {
  await requireUserId();
  await supabase().rpc('approve_rate', { p_id: id }).throwOnError();
}

export const useApproveRate = () => useChange(ratesKey, approveRate);

async function deleteRate({ id, kind }: Pick<Rate, 'id' | 'kind'>) {
  await requireUserId();
  const { data } = await supabase()
    .from(kind === 'tax' ? 'tax_rates' : 'pay_rates')
    .delete()
    .eq('id', id)
    .select('id')
    .throwOnError();
  existing(data[0] ?? null, 'rate');
}

export const useDeleteRate = () => useChange(ratesKey, deleteRate);

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
