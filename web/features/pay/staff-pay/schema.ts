import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import {
  PAY_BASES_BASIS,
  PAY_BASES_CURRENCY,
  PAY_ITEMS_KIND,
  PAY_ITEMS_PER,
  STAFF_LEDGER_KIND,
  STAFF_LEDGER_PAID_FROM,
  STAFF_PAYMENT_FREQUENCY,
} from '#shared/database.values.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField, isInOrder } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { stepPeriod } from '#web/lib/format/pay-periods.ts';

type Tables = Database['public']['Tables'];
export type PayBasis = Tables['pay_bases']['Row'];
export type PayItem = Tables['pay_items']['Row'];

const money = amountField({
  name: 'Amount',
  required: 'Amount is required',
  negative: 'Amount cannot be negative',
});
const positive = money.refine((entry) => amountOrNull(entry) !== 0, 'Amount must be above 0');
const firstDay = z.iso.date('First day is required');

/** In force today: the last basis that has begun, else the first. @param rows newest first */
export const currentBasis = (rows: readonly PayBasis[]): PayBasis | undefined =>
  rows.find(({ effective_from }) => effective_from <= today()) ?? rows.at(-1);

export const basisSchema = z.object({
  staff_id: z.string(),
  basis: z.enum(PAY_BASES_BASIS),
  payment_frequency: z.enum(STAFF_PAYMENT_FREQUENCY),
  amount: money,
  currency: z.enum(PAY_BASES_CURRENCY),
  effective_from: firstDay,
});
export type BasisForm = z.infer<typeof basisSchema>;

/**
 * @param current what counts today; a change of it begins with the next pay period, which keeps a period whole
 * @returns the form of a stored basis, or of a change of the current one
 */
export const toBasisForm =
  (staffId: string, current: PayBasis | undefined) =>
  (row?: PayBasis): BasisForm => {
    const shown = row ?? current;
    const frequency = shown?.payment_frequency ?? 'monthly';
    return {
      staff_id: staffId,
      basis: shown?.basis ?? 'salary',
      payment_frequency: frequency,
      amount: amountEntry(shown?.amount),
      currency: shown?.currency ?? 'USD',
      effective_from: row?.effective_from ?? stepPeriod(frequency, today(), 1),
    };
  };

export const basisRow = ({ amount, ...rest }: BasisForm) => ({
  ...rest,
  amount: amountOrNull(amount) ?? 0,
});

export const itemSchema = z
  .object({
    staff_id: z.string(),
    kind: z.enum(PAY_ITEMS_KIND),
    name: textField('Name', limits.PAY_ITEMS_NAME_MAX).min(1, 'Name is required'),
    amount: positive,
    currency: z.enum(PAY_BASES_CURRENCY),
    per: z.enum(PAY_ITEMS_PER),
    taxable: z.enum(['yes', 'no']),
    effective_from: firstDay,
    effective_to: z.string(),
  })
  .refine(({ effective_from, effective_to }) => isInOrder(effective_from, effective_to), {
    error: 'Last day is before the first',
    path: ['effective_to'],
  });
export type ItemForm = z.infer<typeof itemSchema>;

export const toItemForm =
  (staffId: string, current: PayBasis | undefined) =>
  (row?: PayItem): ItemForm => ({
    staff_id: staffId,
    kind: row?.kind ?? 'allowance',
    name: row?.name ?? '',
    amount: amountEntry(row?.amount),
    currency: row?.currency ?? current?.currency ?? 'USD',
    per: row?.per ?? 'period',
    taxable: row?.taxable === false ? 'no' : 'yes',
    effective_from: row?.effective_from ?? today(),
    effective_to: row?.effective_to ?? '',
  });

export const itemRow = ({ amount, taxable, effective_to, ...rest }: ItemForm) => ({
  ...rest,
  amount: amountOrNull(amount) ?? 0,
  // Deductions are taken after tax.
  taxable: rest.kind === 'deduction' || taxable === 'yes',
  effective_to: orNull(effective_to),
});

/** @param first of the item, which can't end before it begins */
export const endSchema = (first: string) =>
  z.object({
    effective_to: z.iso
      .date('Last day is required')
      .refine((day) => day >= first, 'Last day is before the first'),
  });

const note = textField('Note', limits.STAFF_LEDGER_NOTE_MAX);

const scheduleFields = {
  repay_per_period: positive,
  repay_from: firstDay,
  note,
};
export const scheduleSchema = z.object(scheduleFields);
export type ScheduleForm = z.infer<typeof scheduleSchema>;

export const issueSchema = z
  .object({
    kind: z.enum(STAFF_LEDGER_KIND),
    amount: positive,
    currency: z.enum(PAY_BASES_CURRENCY),
    day: bookDayField('Day is required', 'The day'),
    paid_from: z.enum(STAFF_LEDGER_PAID_FROM),
    ...scheduleFields,
  })
  .refine(
    ({ amount, repay_per_period }) =>
      (amountOrNull(repay_per_period) ?? 0) <= (amountOrNull(amount) ?? 0),
    { error: 'More than the amount itself', path: ['repay_per_period'] },
  );
export type IssueForm = z.infer<typeof issueSchema>;

export const newIssue = (currency: IssueForm['currency']): IssueForm => ({
  kind: 'advance',
  amount: '',
  currency,
  day: today(),
  paid_from: 'cash',
  repay_per_period: '',
  repay_from: today(),
  note: '',
});

/** @param balance what is still owed */
export const settleSchema = (balance: number) =>
  z.object({
    amount: positive.refine(
      (entry) => (amountOrNull(entry) ?? 0) <= balance,
      'More than is still owed',
    ),
    day: bookDayField('Day is required', 'The day'),
    paid_from: z.enum(STAFF_LEDGER_PAID_FROM),
    note: note.min(1, 'Note is required'),
  });
export type SettleForm = z.infer<ReturnType<typeof settleSchema>>;

export const newSettlement = (balance: number): SettleForm => ({
  amount: amountEntry(balance),
  day: today(),
  paid_from: 'cash',
  note: '',
});
