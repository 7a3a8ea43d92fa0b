import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { PAY_BASES_CURRENCY, STAFF_PAYMENT_FREQUENCY } from '#shared/database.values.ts';
import { mayReadOfOthers } from '#shared/permissions.ts';
import { importRecords } from '#web/lib/data/import-records.ts';
import { staffKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { ImportedRecord } from '#web/lib/files/read-table.ts';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { describeBasis } from '#web/lib/format/pay-basis.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { EXPORT_COLUMNS } from './import.ts';
import { columnsOf, type StaffRow, staffSchema, toForm } from './schema.ts';
import type { StaffSearch } from './search.ts';

const SELECTED = '*, profiles!user_id(full_name, email)';

export const staff = recordHooks({
  table: 'staff',
  key: staffKey,
  name: 'staff member',
  columns: SELECTED,
  schema: staffSchema,
  toForm,
  toColumns: columnsOf,
  toNewRow: withAuthor,
});

const SORTS = { name: 'full_name', hired: 'hire_date', salary: 'salary_amount' };

type StaffFilters = Pick<StaffSearch, 'q' | 'status' | 'sort'>;

/** Staff that match the search and filter, newest first by default. */
function staffQuery({ q = '', status, sort }: StaffFilters) {
  let query = q
    ? supabase()
        .rpc('search_staff', { p_search: q }, { count: 'exact', get: true })
        .select(SELECTED)
    : supabase().from('staff').select(SELECTED, { count: 'exact' });
  if (status) query = query.eq('status', status);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'created_at', ascending: false });
  return query.order(column, { ascending }).order('id').returns<StaffRow[]>();
}

/** Sums are text because they can have more digits than a JSON number holds. */
const totalsSchema = z.array(
  z.object({
    currency: z.enum(PAY_BASES_CURRENCY),
    payment_frequency: z.enum(STAFF_PAYMENT_FREQUENCY),
    people: z.number(),
    salaries: z.string(),
  }),
);

async function fetchTotals({ q, status }: StaffFilters) {
  const totals = await Promise.all(
    PAY_BASES_CURRENCY.map(async (currency) => {
      const { data } = await supabase()
        .rpc('staff_totals', {
          p_currency: currency,
          ...(q && { p_search: q }),
          ...(status && { p_status: status }),
        })
        .select('payment_frequency, people, salaries::text')
        .throwOnError();
      return data.map((row) => ({ ...row, currency }));
    }),
  );
  return totalsSchema.parse(totals.flat());
}

/** Number of people and sum of their salaries, per currency and payment frequency. */
export function useStaffTotals(filters: Omit<StaffFilters, 'sort'>) {
  return useQuery({
    queryKey: [...staffKey, 'totals', filters],
    queryFn: () => fetchTotals(filters),
    placeholderData: keepPreviousData,
  });
}

export const staffList = listQueries('staff', {
  key: staffKey,
  tables: 'staff',
  filters: ['q', 'status', 'sort'],
  rows: staffQuery,
  columns: EXPORT_COLUMNS,
});

const importStaff = (file: { rows: ImportedRecord[]; numbers: number[] }) =>
  importRecords({ table: 'staff', ...file });

export const useImportStaff = () => useChange(staffKey, importStaff);

async function countPayroll(staffId: string): Promise<number> {
  const { count } = await supabase()
    .from('payroll')
    .select('id', { count: 'exact', head: true })
    .eq('staff_id', staffId)
    .throwOnError();
  return count ?? 0;
}

/** The number of payroll records that keep a staff record from being deleted. */
export function usePayrollCount(staffId: string) {
  return useQuery({
    queryKey: [...staffKey, 'payroll', staffId],
    queryFn: () => countPayroll(staffId),
    // Fetched again each time the dialog opens.
    gcTime: 0,
  });
}

/** A log entry contains only the columns that changed. */
const paySchema = z
  .object({
    salary_amount: z.coerce.number(),
    payment_frequency: z.string(),
    pay_basis: z.string(),
    currency: z.string(),
  })
  .partial()
  .catch({});

type Salary = { id: string; pay: string; since: string; actor: string | null };

/** @returns the first salary and each change of it, from the activity log, newest first */
async function fetchLoggedSalaries(id: string): Promise<Salary[]> {
  const { data } = await supabase()
    .from('audit_log')
    .select('id, at, actor_email, new_values')
    .eq('table_name', 'staff')
    .eq('row_id', id)
    .order('at')
    .order('id')
    .throwOnError();
  let known: z.infer<typeof paySchema> = {};
  let current = '';
  const changes = data.flatMap(({ id: entry, at, actor_email, new_values }): Salary[] => {
    known = { ...known, ...paySchema.parse(new_values ?? {}) };
    const { salary_amount: amount, payment_frequency = '' } = known;
    if (amount === undefined) return [];
    const { pay_basis: basis = 'salary', currency = 'USD' } = known;
    const pay = describeBasis({ amount, currency, basis, payment_frequency });
    if (pay === current) return [];
    current = pay;
    return [{ id: entry, pay, since: formatDateTime(at), actor: actor_email }];
  });
  return changes.toReversed();
}

/** @returns each pay basis, newest first, for users who may not read the activity log */
async function fetchBases(staffId: string): Promise<Salary[]> {
  const { data } = await supabase()
    .from('pay_bases')
    .select('*, author:profiles!created_by(email)')
    .eq('staff_id', staffId)
    .order('effective_from', { ascending: false })
    .throwOnError();
  return data.map((row) => ({
    id: row.id,
    pay: describeBasis(row),
    since: formatDay(row.effective_from),
    actor: row.author?.email ?? null,
  }));
}

export function useSalaries(id: string) {
  const { roles } = useAuth();
  const readsLog = mayReadOfOthers(roles, 'audit_log');
  return useQuery({
    queryKey: [...staffKey, 'salaries', id, readsLog],
    queryFn: () => (readsLog ? fetchLoggedSalaries(id) : fetchBases(id)),
  });
}

async function fetchHiredOn(accountId: string): Promise<string | null> {
  const { data } = await supabase().rpc('hired_on', { p_user_id: accountId }).throwOnError();
  return data;
}

/** The day on which the person with this account was hired; null where it is not known. */
export const useHiredOn = (accountId: string | undefined) =>
  useQuery({
    queryKey: [...staffKey, 'hired', accountId],
    queryFn: () => fetchHiredOn(accountId ?? ''),
    enabled: accountId !== undefined,
  });
