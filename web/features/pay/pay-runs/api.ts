import { useQuery } from '@tanstack/react-query';
import { formatAmount } from '#shared/money.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { payAdjustmentsKey, payRunsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { type Payslip, RUN_PAYSLIP_COLUMNS, SLIP_COLUMNS } from '#web/lib/data/payslips.ts';
import { existing } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { NewRun, PayRun, PayslipRow, SlipDetails } from './schema.ts';
import type { PayRunSearch, RunPageSearch } from './search.ts';

type RunFilters = Pick<PayRunSearch, 'status' | 'group'>;

function runsQuery({ status, group }: RunFilters) {
  let query = supabase().from('pay_runs').select('*', { count: 'exact' });
  if (status) query = query.eq('status', status);
  if (group) query = query.eq('pay_group', group);
  return query
    .order('period_end', { ascending: false })
    .order('created_at', { ascending: false })
    .order('id')
    .returns<PayRun[]>();
}

export const payRunList = listQueries('pay runs', {
  key: payRunsKey,
  tables: 'pay_runs',
  filters: ['status', 'group'],
  rows: runsQuery,
  columns: [
    { heading: 'Period Start', kind: 'day', value: (run) => run.period_start },
    { heading: 'Period End', kind: 'day', value: (run) => run.period_end },
    { heading: 'Pay Group', value: (run) => PAY_FREQUENCY_LABELS[findFrequency(run)] },
    { heading: 'Currency', value: (run) => run.currency },
    { heading: 'People', value: (run) => run.people },
    { heading: 'Gross', kind: 'amount', value: (run) => formatAmount(run.gross) },
    { heading: 'Deductions', kind: 'amount', value: (run) => formatAmount(run.deductions) },
    { heading: 'Net', kind: 'amount', value: (run) => formatAmount(run.net) },
    { heading: 'Status', value: (run) => STATUS_LABELS[run.status] },
  ],
});

/** @returns the pay group, which the database checks to be one of the three frequencies */
export const findFrequency = ({ pay_group: group }: Pick<PayRun, 'pay_group'>) =>
  group === 'weekly' || group === 'bi-weekly' ? group : 'monthly';

async function fetchRun(id: string) {
  const { data } = await supabase()
    .from('pay_runs')
    .select()
    .eq('id', id)
    .returns<PayRun[]>()
    .maybeSingle()
    .throwOnError();
  return existing(data, 'pay run');
}

export const usePayRun = (id: string) =>
  useLiveQuery('pay_runs', payRunsKey, {
    queryKey: [...payRunsKey, 'one', id],
    queryFn: () => fetchRun(id),
  });

type SlipFilters = Pick<RunPageSearch, 'q' | 'sort'> & { run: string };

const SORTS = { name: 'staff(full_name)', gross: 'gross', net: 'net' };

function slipsQuery({ run, q = '', sort }: SlipFilters) {
  let query = supabase()
    .from('payslips')
    .select('*, staff!inner(full_name, role)', { count: 'exact' })
    .eq('pay_run_id', run);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('staff.search_name', patterns);
  const { column, ascending } = parseOrder(sort, SORTS, { column: SORTS.name, ascending: true });
  return query.order(column, { ascending }).order('id').returns<PayslipRow[]>();
}

export const payslipList = listQueries('payslips', {
  key: [...payRunsKey, 'payslips'],
  tables: 'payslips',
  filters: ['run', 'q', 'sort'],
  rows: slipsQuery,
  columns: [
    { heading: 'Staff Name', value: (slip) => slip.staff.full_name },
    { heading: 'Currency', value: (slip) => slip.currency },
    { heading: 'Gross', kind: 'amount', value: (slip) => formatAmount(slip.gross) },
    { heading: 'Deductions', kind: 'amount', value: (slip) => formatAmount(slip.deductions) },
    { heading: 'Net', kind: 'amount', value: (slip) => formatAmount(slip.net) },
    {
      heading: 'Employer NASSCORP',
      kind: 'amount',
      value: (slip) => formatAmount(slip.employer_cost),
    },
  ],
});

async function fetchSlip(id: string) {
  const { data } = await supabase()
    .from('payslips')
    .select(`${SLIP_COLUMNS}, staff!inner(full_name, role), payroll(*)`)
    .eq('id', id)
    .returns<SlipDetails[]>()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const usePayslip = (id: string) =>
  useQuery({ queryKey: [...payRunsKey, 'payslip', id], queryFn: () => fetchSlip(id) });

/** @returns the id of the new run */
async function addRun({ pay_group, currency, period }: NewRun): Promise<string> {
  await requireUserId();
  const { data } = await supabase()
    .rpc('create_pay_run', { p_pay_group: pay_group, p_currency: currency, p_day: period })
    .throwOnError();
  return data;
}

export const useAddRun = () => useChange(payRunsKey, addRun);

async function calculate(id: string) {
  await requireUserId();
  await supabase().rpc('calculate_pay_run', { id }).throwOnError();
}

async function approve(id: string) {
  await requireUserId();
  await supabase().rpc('approve_pay_run', { id }).throwOnError();
}

async function lock(id: string) {
  await requireUserId();
  await supabase().rpc('lock_pay_run', { id }).throwOnError();
}

async function returnRun(id: string) {
  await requireUserId();
  await supabase().rpc('return_pay_run', { p_id: id }).throwOnError();
}

async function voidRun({ id, reason }: { id: string; reason: string }) {
  await requireUserId();
  await supabase().rpc('void_pay_run', { p_id: id, p_reason: reason }).throwOnError();
}

/** @returns how many were proposed */
async function proposeCorrections(id: string): Promise<number> {
  await requireUserId();
  const { data } = await supabase().rpc('propose_corrections', { p_pay_run_id: id }).throwOnError();
  return data;
}

export const useProposeCorrections = () => useChange(payAdjustmentsKey, proposeCorrections);
export const useCalculateRun = () => useChange(payRunsKey, calculate);
export const useApproveRun = () => useChange(payRunsKey, approve);
export const useReturnRun = () => useChange(payRunsKey, returnRun);
export const useLockRun = () => useChange(payRunsKey, lock);
export const useVoidRun = () => useChange(payRunsKey, voidRun);

/** Rows of a review; a company has fewer people. */
const REVIEWED = 2000;

async function fetchReview(id: string) {
  const [{ data: changes }, { data: findings }] = await Promise.all([
    supabase().rpc('pay_run_changes', { id }).limit(REVIEWED).throwOnError(),
    supabase().rpc('pay_run_findings', { id }).limit(REVIEWED).throwOnError(),
  ]);
  return { changes, findings };
}
export type Review = Awaited<ReturnType<typeof fetchReview>>;

/** @param calculatedAt of the run: the review is read again after each calculation */
export const useReview = (id: string, calculatedAt: string | null) =>
  useQuery({
    queryKey: [...payRunsKey, 'review', id, calculatedAt],
    queryFn: () => fetchReview(id),
  });

/** The published payslips of a run by name, page by page. */
export function fetchPayslips(run: string, signal: AbortSignal): Promise<Payslip[]> {
  return everyRow(async (first, last) => {
    const { data } = await supabase()
      .from('payroll')
      .select(RUN_PAYSLIP_COLUMNS)
      .eq('payslips.pay_run_id', run)
      .order('staff(full_name)')
      .order('id')
      .range(first, last)
      .abortSignal(signal)
      .returns<Payslip[]>()
      .throwOnError();
    return data;
  });
}
