import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { PAY_BASES_CURRENCY, PAYROLL_PAYMENT_STATUS } from '#shared/database.values.ts';
import { parseCents } from '#shared/money.ts';
import { calculationSchema } from '#web/lib/data/payslips.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { dayField, isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';

type Payroll = Database['public']['Tables']['payroll']['Row'];

export type PayrollRow = Payroll & {
  staff: { full_name: string; role: 'admin' | 'guard'; payment_frequency: string };
};

export const payrollSchema = z
  .object({
    staff_id: z.string().min(1, 'Staff member is required'),
    period_start: dayField('Period start is required'),
    period_end: dayField('Period end is required'),
    base_amount: amountField({
      name: 'Base amount',
      required: 'Base amount is required',
      negative: 'Base amount cannot be negative',
    }),
    deductions: amountField({ name: 'Deductions', negative: 'Deductions cannot be negative' }),
    bonuses: amountField({ name: 'Bonuses', negative: 'Bonuses cannot be negative' }),
    payment_date: optionalDayField,
    payment_status: z.enum(PAYROLL_PAYMENT_STATUS),
    notes: textField('Notes', limits.PAYROLL_NOTES_MAX),
    calculation: calculationSchema,
    currency: z.enum(PAY_BASES_CURRENCY),
  })
  .refine(({ period_start, period_end }) => isInOrder(period_start, period_end), {
    error: 'Period end must be after period start',
    path: ['period_end'],
  });

export type PayrollForm = z.infer<typeof payrollSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: PayrollRow): PayrollForm {
  return {
    staff_id: row?.staff_id ?? '',
    period_start: row?.period_start ?? '',
    period_end: row?.period_end ?? '',
    base_amount: amountEntry(row?.base_amount),
    deductions: amountEntry(row?.deductions ?? 0),
    bonuses: amountEntry(row?.bonuses ?? 0),
    payment_date: row?.payment_date ?? '',
    payment_status: row?.payment_status ?? 'pending',
    notes: row?.notes ?? '',
    calculation: calculationSchema.parse(row?.calculation ?? null),
    currency: row?.currency ?? 'USD',
  };
}

/** @returns net pay in cents: base minus deductions plus bonuses; invalid amounts count as 0 */
export function calculateNet(
  form: Pick<PayrollForm, 'base_amount' | 'deductions' | 'bonuses'>,
): bigint {
  const cents = (entry: string) => parseCents(amountOrNull(entry));
  return cents(form.base_amount) - cents(form.deductions) + cents(form.bonuses);
}

/** The database computes the net amount again and stores its own. */
export function toRow(form: PayrollForm) {
  return {
    ...form,
    base_amount: amountOrNull(form.base_amount) ?? 0,
    deductions: amountOrNull(form.deductions) ?? 0,
    bonuses: amountOrNull(form.bonuses) ?? 0,
    net_amount: Number(calculateNet(form)) / 100,
    payment_date: orNull(form.payment_date),
    notes: orNull(form.notes),
  };
}
