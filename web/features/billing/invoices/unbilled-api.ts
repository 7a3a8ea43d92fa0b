import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { startOfMonth, toDay, today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { UNBILLED_STATES, UnbilledSearch } from './search.ts';

type State = (typeof UNBILLED_STATES)[number];

/** The hours of one guard at one site, with what keeps them from being billed. */
export type Unbilled = Omit<
  Database['public']['Functions']['unbilled_hours']['Returns'][number],
  'reason'
> & { reason: State };

export const STATE_LABELS: Record<State, string> = {
  not_approved: 'Timesheet not approved',
  no_contract: 'No contract',
  no_rate: 'No rate',
  month_not_billed: 'Monthly amount not billed',
  not_drafted: 'Not drafted',
  on_demand: 'Billed on demand',
  not_due: 'Not due yet',
  above_headcount: 'Above the agreed headcount',
  waived: 'Waived',
};

/** Nothing is to be done about these now. */
const SETTLED: State[] = ['not_due', 'above_headcount', 'waived'];

type Days = Pick<UnbilledSearch, 'from' | 'to'>;

/** Whole months before this one, so that hours which are not due for billing don't hide forgotten ones. */
const MONTHS = 3;

/** @returns the days that the address names, or those of the last three whole months */
export function shownDays({ from, to }: Days) {
  return {
    from: from ?? toDay(startOfMonth(-MONTHS)),
    to: to ?? dayAfter(`${today().slice(0, 7)}-01`, -1),
  };
}

const argumentsOf = (search: Days & Pick<UnbilledSearch, 'client'>) => {
  const { from, to } = shownDays(search);
  return { p_from: from, p_to: to, ...(search.client ? { p_client_id: search.client } : {}) };
};

const SORTS = { client: 'client_name', guard: 'full_name', first: 'first_at', hours: 'minutes' };

type Filters = Pick<UnbilledSearch, 'from' | 'to' | 'client' | 'state' | 'sort'>;

function unbilledQuery({ state, sort, ...period }: Filters) {
  const all = supabase().rpc('unbilled_hours', argumentsOf(period), { count: 'exact' });
  const query = state ? all.eq('reason', state) : all.not('reason', 'in', `(${SETTLED.join()})`);
  const { column, ascending } = parseOrder(sort, SORTS, { column: SORTS.client, ascending: true });
  return query
    .order(column, { ascending })
    .order('site_name')
    .order('full_name')
    .order('id')
    .returns<Unbilled[]>();
}

export const unbilledList = listQueries('unbilled hours', {
  key: [...invoicesKey, 'unbilled'],
  tables: ['invoices', 'timesheets'],
  filters: ['from', 'to', 'client', 'state', 'sort'],
  rows: unbilledQuery,
  columns: [
    { heading: 'Client', value: (row) => row.client_name },
    { heading: 'Site', value: (row) => row.site_name },
    { heading: 'Guard', value: (row) => row.full_name },
    { heading: 'From', kind: 'day', value: (row) => toDay(row.first_at) },
    { heading: 'To', kind: 'day', value: (row) => toDay(row.last_at) },
    { heading: 'Hours', kind: 'amount', value: (row) => (row.minutes / 60).toFixed(2) },
    { heading: 'Reason', value: (row) => STATE_LABELS[row.reason] },
    { heading: 'Note', value: (row) => row.note },
  ],
});

type Totals = (Omit<
  Database['public']['Functions']['unbilled_totals']['Returns'][number],
  'reason'
> & { reason: State })[];

async function fetchTotals(period: Parameters<typeof argumentsOf>[0]): Promise<Totals> {
  const { data } = await supabase()
    .rpc('unbilled_totals', argumentsOf(period))
    .returns<Totals>()
    .throwOnError();
  return data;
}

/** Sums by client and reason. */
export const useUnbilledTotals = (period: Parameters<typeof argumentsOf>[0]) =>
  useQuery({
    queryKey: [...invoicesKey, 'unbilled', 'totals', argumentsOf(period)],
    queryFn: () => fetchTotals(period),
  });

/** The first day that an invoice is for, null without any. */
async function fetchFirstBilledDay(): Promise<string | null> {
  const { data } = await supabase()
    .from('invoices')
    .select('period_start')
    .order('period_start')
    .limit(1)
    .maybeSingle()
    .throwOnError();
  return data?.period_start ?? null;
}

/** Those on demand are named in Draft Invoices until they are billed. */
const owed = (totals: Totals) =>
  totals.filter(({ reason }) => reason !== 'on_demand' && !SETTLED.includes(reason));

async function fetchForgotten() {
  const days = shownDays({});
  const [first, totals] = await Promise.all([fetchFirstBilledDay(), fetchTotals(days)]);
  if (first === null || first > days.to) return { ...days, totals: [] };
  if (first <= days.from) return { ...days, totals: owed(totals) };
  const later = { ...days, from: first };
  return { ...later, totals: owed(await fetchTotals(later)) };
}

/** The list of invoices warns of these: hours before the first invoice were billed elsewhere. */
export const forgottenQuery = queryOptions({
  queryKey: [...invoicesKey, 'unbilled', 'forgotten'],
  queryFn: fetchForgotten,
});

const recordsOf = (rows: Unbilled[]) => rows.flatMap(({ attendance_ids }) => attendance_ids);

async function unwaive(rows: Unbilled[]): Promise<void> {
  await requireUserId();
  await supabase()
    .rpc('unwaive_time', { p_attendance_ids: recordsOf(rows) })
    .throwOnError();
}

/** Never bills these hours, unless that is undone. */
export async function waive(rows: Unbilled[], reason: string) {
  await requireUserId();
  await supabase()
    .rpc('waive_time', { p_attendance_ids: recordsOf(rows), p_reason: reason })
    .throwOnError();
  return {
    changed: rows.length,
    undo: async () => {
      await unwaive(rows);
      return undefined;
    },
  };
}

/** Makes waived hours billable again; undone if one reason was given for all of them. */
export async function billAgain(rows: Unbilled[]) {
  await unwaive(rows);
  const [note, ...others] = [...new Set(rows.map((row) => row.note))];
  if (!note || others.length > 0) return { changed: rows.length };
  return {
    changed: rows.length,
    undo: async () => {
      await waive(rows, note);
      return undefined;
    },
  };
}
