import type { STAFF_LEDGER_KIND } from '#shared/database.values.ts';
import { staffPayKey } from '#web/lib/data/keys.ts';
import { changeOne, recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import {
  basisRow,
  basisSchema,
  type IssueForm,
  itemRow,
  itemSchema,
  type PayBasis,
  type PayItem,
  type ScheduleForm,
  type SettleForm,
  toBasisForm,
  toItemForm,
} from './schema.ts';

/** @param current the basis of today, from which a change begins */
export const basesOf = (staffId: string, current: PayBasis | undefined) =>
  recordHooks({
    table: 'pay_bases',
    key: staffPayKey,
    name: 'pay basis',
    schema: basisSchema,
    toForm: toBasisForm(staffId, current),
    toColumns: basisRow,
    toNewRow: withAuthor,
    duplicate: 'Another pay basis begins on this day. Change that one instead.',
  });

export const itemsOf = (staffId: string, current: PayBasis | undefined) =>
  recordHooks({
    table: 'pay_items',
    key: staffPayKey,
    name: 'allowance or deduction',
    schema: itemSchema,
    toForm: toItemForm(staffId, current),
    toColumns: itemRow,
    toNewRow: withAuthor,
  });

async function fetchBases(staffId: string): Promise<PayBasis[]> {
  const { data } = await supabase()
    .from('pay_bases')
    .select()
    .eq('staff_id', staffId)
    .order('effective_from', { ascending: false })
    .throwOnError();
  return data;
}

/** Newest first. */
export const useBases = (staffId: string) =>
  useLiveQuery('pay_bases', staffPayKey, {
    queryKey: [...staffPayKey, staffId, 'bases'],
    queryFn: () => fetchBases(staffId),
  });

async function fetchItems(staffId: string): Promise<PayItem[]> {
  const { data } = await supabase()
    .from('pay_items')
    .select()
    .eq('staff_id', staffId)
    .order('effective_from', { ascending: false })
    .order('name')
    .order('id')
    .throwOnError();
  return data;
}

export const useItems = (staffId: string) =>
  useLiveQuery('pay_items', staffPayKey, {
    queryKey: [...staffPayKey, staffId, 'items'],
    queryFn: () => fetchItems(staffId),
  });

async function endItem({ id, effective_to }: { id: string; effective_to: string }) {
  await requireUserId();
  await changeOne(
    supabase().from('pay_items').update({ effective_to }).eq('id', id),
    'allowance or deduction',
  );
}

export const useEndItem = () => useChange(staffPayKey, endItem);

const ENTRIES = `id, entry, loan_id, amount, currency, note, day,
  author:profiles!created_by(full_name, email),
  line:payslip_lines(explanation, slip:payslips!payslip_id(run:pay_runs!pay_run_id(id, period_start, period_end)))` as const;

async function fetchEntries(staffId: string) {
  const { data } = await supabase()
    .from('staff_ledger')
    .select(ENTRIES)
    .eq('staff_id', staffId)
    .neq('entry', 'issue')
    .order('created_at', { ascending: false })
    .order('id')
    .throwOnError();
  return data;
}
export type LedgerEntry = Awaited<ReturnType<typeof fetchEntries>>[number];

async function fetchLedger(staffId: string) {
  const [{ data: issues }, entries, { data: rules }] = await Promise.all([
    supabase().rpc('ledger_balances', { p_staff_id: staffId }).returns<Issue[]>().throwOnError(),
    fetchEntries(staffId),
    supabase()
      .from('time_rules')
      .select('max_deduction_share')
      .lte('effective_from', today())
      .order('effective_from', { ascending: false })
      .limit(1)
      .throwOnError(),
  ]);
  return {
    /** The share of net pay that a run takes for repayments at most, from 0 to 1. */
    share: rules[0]?.max_deduction_share,
    issues: issues.map((issue) => ({
      ...issue,
      entries: entries.filter(({ loan_id }) => loan_id === issue.id),
    })),
  };
}

type Issue = {
  id: string;
  kind: (typeof STAFF_LEDGER_KIND)[number];
  currency: string;
  amount: number;
  balance: number;
  repay_per_period: number;
  repay_from: string;
  note: string | null;
  day: string;
};
export type LedgerIssue = Issue & { entries: LedgerEntry[] };

/** What the person was given, with what they still owe. */
export const useLedger = (staffId: string) =>
  useLiveQuery('staff_ledger', staffPayKey, {
    queryKey: [...staffPayKey, staffId, 'ledger'],
    queryFn: () => fetchLedger(staffId),
  });

const scheduleOf = ({ repay_per_period, repay_from, note }: ScheduleForm) => ({
  repay_per_period: amountOrNull(repay_per_period),
  repay_from,
  note: orNull(note),
});

async function addIssue({ staffId, form }: { staffId: string; form: IssueForm }) {
  await requireUserId();
  const { kind, amount, currency, day, paid_from } = form;
  await supabase()
    .from('staff_ledger')
    .insert({
      staff_id: staffId,
      entry: 'issue',
      kind,
      currency,
      amount: amountOrNull(amount) ?? 0,
      ...{ day, paid_from },
      ...scheduleOf(form),
    })
    .throwOnError();
}

export const useAddIssue = () => useChange(staffPayKey, addIssue);

async function changeSchedule({ id, form }: { id: string; form: ScheduleForm }) {
  await requireUserId();
  await changeOne(supabase().from('staff_ledger').update(scheduleOf(form)).eq('id', id), 'entry');
}

export const useChangeSchedule = () => useChange(staffPayKey, changeSchedule);

type Settlement = {
  staffId: string;
  issue: LedgerIssue;
  entry: 'repayment' | 'write_off';
  form: SettleForm;
};

async function settle({ staffId, issue, entry, form }: Settlement) {
  await requireUserId();
  await supabase()
    .from('staff_ledger')
    .insert({
      staff_id: staffId,
      entry,
      kind: issue.kind,
      loan_id: issue.id,
      currency: issue.currency === 'LRD' ? 'LRD' : 'USD',
      amount: amountOrNull(form.amount) ?? 0,
      day: form.day,
      paid_from: form.paid_from,
      note: orNull(form.note),
    })
    .throwOnError();
}

export const useSettle = () => useChange(staffPayKey, settle);
