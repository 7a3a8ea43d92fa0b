import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { PAY_BASES_CURRENCY, PAYROLL_PAYMENT_STATUS } from '#shared/database.values.ts';
import { parseCents } from '#shared/money.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { payrollKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { PAYSLIP_COLUMNS, type Payslip } from '#web/lib/data/payslips.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { PayCurrency } from '#web/lib/vocabulary/kinds.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type PayrollRow, payrollSchema, toForm, toRow } from './schema.ts';
import type { PayrollSearch } from './search.ts';

const SELECTED = '*, staff!inner(full_name, role, payment_frequency)';

export const payroll = recordHooks({
  table: 'payroll',
  key: payrollKey,
  name: 'payroll record',
  columns: SELECTED,
  schema: payrollSchema,
  toForm,
  toColumns: toRow,
  toNewRow: withAuthor,
});

const SORTS = {
  name: 'staff(full_name)',
  period: 'period_start',
  net: 'net_amount',
  paid: 'payment_date',
};

export type PayrollFilters = Pick<PayrollSearch, 'q' | 'status' | 'period' | 'sort'>;

/** @param period as in the address, "2026-10-01 2026-10-31" */
const daysOf = (period: string | undefined) => period?.split(' ') ?? [];

/** Records that match the search and filters, newest first by default. */
function matchingQuery({ q = '', status, period, sort }: PayrollFilters, columns: string) {
  let query = supabase().from('payroll').select(columns, { count: 'exact' });
  const [start, end] = daysOf(period);
  if (status) query = query.eq('payment_status', status);
  if (start && end) query = query.eq('period_start', start).eq('period_end', end);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('staff.search_name', patterns);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'created_at', ascending: false });
  return query.order(column, { ascending }).order('id');
}

const payrollQuery = (filters: PayrollFilters) =>
  matchingQuery(filters, SELECTED).returns<PayrollRow[]>();

/** All that match, page by page, with the lines of their pay runs. */
export function fetchPayslips(filters: PayrollFilters, signal: AbortSignal): Promise<Payslip[]> {
  return everyRow(async (first, last) => {
    const { data } = await matchingQuery(filters, PAYSLIP_COLUMNS)
      .range(first, last)
      .abortSignal(signal)
      .returns<Payslip[]>()
      .throwOnError();
    return data;
  });
}

async function fetchPayslip(id: string) {
  const { data } = await supabase()
    .from('payroll')
    .select(PAYSLIP_COLUMNS)
    .eq('id', id)
    .returns<Payslip[]>()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const usePayslip = (id: string) =>
  useQuery({ queryKey: [...payrollKey, 'payslip', id], queryFn: () => fetchPayslip(id) });

/** Sums are text because they can have more digits than a JSON number holds. */
const sumsSchema = z.object({
  /** Records in the sums. */
  records: z.number(),
  /** Cancelled records, which are in the list but not in the sums unless the list shows only them. */
  cancelled: z.number(),
  base: z.string(),
  deductions: z.string(),
  bonuses: z.string(),
  net: z.string(),
});
export type PayrollSums = z.infer<typeof sumsSchema> & { currency: string };

type SumFilters = Omit<PayrollFilters, 'sort'>;

async function fetchSums(currency: string, { q, status, period }: SumFilters) {
  const [start, end] = daysOf(period);
  const { data } = await supabase()
    .rpc('payroll_sums', {
      p_currency: currency,
      ...(q && { p_search: q }),
      ...(status && { p_status: status }),
      ...(start && { p_start: start }),
      ...(end && { p_end: end }),
    })
    .select('records, cancelled, base::text, deductions::text, bonuses::text, net::text')
    .single()
    .throwOnError();
  return { ...sumsSchema.parse(data), currency };
}

/** One for each currency that has records in the list. */
async function fetchAllSums(filters: SumFilters): Promise<PayrollSums[]> {
  const all = await Promise.all(PAY_BASES_CURRENCY.map((currency) => fetchSums(currency, filters)));
  return all.filter(({ records, cancelled }) => records + cancelled > 0);
}

export function usePayrollSums(filters: SumFilters) {
  return useQuery({
    queryKey: [...payrollKey, 'sums', filters],
    queryFn: () => fetchAllSums(filters),
    placeholderData: keepPreviousData,
  });
}

const cents = z
  .string()
  .nullable()
  .transform((amount) => parseCents(amount));

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

/** About a year of monthly and weekly periods. */
const PERIODS_SHOWN = 100;

async function fetchPeriodsIn(currency: PayCurrency) {
  const { data } = await supabase()
    .rpc('payroll_totals', { p_currency: currency })
    .select(
      'period_start, period_end, records, base::text, deductions::text, bonuses::text, net::text, unpaid::text',
    )
    .limit(PERIODS_SHOWN)
    .throwOnError();
  return periodsSchema.parse(data).map((period) => ({ ...period, currency }));
}

async function fetchPeriods() {
  return (await Promise.all(PAY_BASES_CURRENCY.map(fetchPeriodsIn))).flat();
}

export type Period = Awaited<ReturnType<typeof fetchPeriods>>[number];

/** Totals of each pay period and currency: USD first, each newest first. */
export const usePeriods = () =>
  useQuery({ queryKey: [...payrollKey, 'periods'], queryFn: fetchPeriods });

const EXPORT_COLUMNS: TableColumn<PayrollRow>[] = [
  { heading: 'Staff Name', value: (row) => row.staff.full_name },
  { heading: 'Role', value: (row) => ROLE_LABELS[row.staff.role] },
  { heading: 'Period Start', kind: 'day', value: (row) => row.period_start },
  { heading: 'Period End', kind: 'day', value: (row) => row.period_end },
  { heading: 'Base Amount', kind: 'amount', value: (row) => row.base_amount.toFixed(2) },
  { heading: 'Deductions', kind: 'amount', value: (row) => row.deductions.toFixed(2) },
  { heading: 'Bonuses', kind: 'amount', value: (row) => row.bonuses.toFixed(2) },
  { heading: 'Net Amount', kind: 'amount', value: (row) => row.net_amount.toFixed(2) },
  { heading: 'Payment Date', kind: 'day', value: (row) => row.payment_date },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.payment_status] },
  { heading: 'Notes', value: (row) => row.notes },
  { heading: 'Currency', value: (row) => row.currency },
];

export const payrollList = listQueries('payroll', {
  key: payrollKey,
  tables: 'payroll',
  filters: ['q', 'status', 'period', 'sort'],
  rows: payrollQuery,
  columns: EXPORT_COLUMNS,
});

/** The first record that overlaps the drafted period for a person, and the number of such records. */
const overlapSchema = z.object({
  full_name: z.string(),
  period_start: z.string(),
  period_end: z.string(),
  payment_status: z.enum(PAYROLL_PAYMENT_STATUS),
  records: z.number(),
});
export type Overlap = z.infer<typeof overlapSchema>;

const draftSchema = z.object({
  added: z.number(),
  skipped: z.number(),
  overlapping: z.array(overlapSchema),
});

/** Adds a pending record for each active staff member without a record in the period. */
async function draftPayroll(period: { period_start: string; period_end: string }) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('draft_payroll', { p_start: period.period_start, p_end: period.period_end })
    .single()
    .throwOnError();
  return draftSchema.parse(data);
}

/** @returns the id of the pay run because of which a draft was refused */
export function runInTheWay(refusal: unknown): string | undefined {
  const { data } = z.object({ code: z.literal('PT409'), details: z.uuid() }).safeParse(refusal);
  return data?.details;
}

export const useDraftPayroll = () => useChange(payrollKey, draftPayroll);
