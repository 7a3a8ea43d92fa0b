import { z } from 'zod';
import { STATEMENT_DAYS_AHEAD } from '#shared/book-days.ts';
import type { Database } from '#shared/database.types.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField, isInOrder } from '#web/lib/form-fields/day-field.ts';
import { orNull, shortNotesField, titleField } from '#web/lib/form-fields/text-field.ts';

export type Statement = Database['public']['Tables']['financial_statements']['Row'];

export const statementSchema = z
  .object({
    title: titleField,
    period_start: bookDayField('Start date is required', 'Start date', STATEMENT_DAYS_AHEAD),
    period_end: bookDayField('End date is required', 'End date', STATEMENT_DAYS_AHEAD),
    total_revenue: amountField({ name: 'Revenue', negative: 'Revenue cannot be negative' }),
    total_expenses: amountField({ name: 'Expenses', negative: 'Expenses cannot be negative' }),
    notes: shortNotesField,
  })
  .refine(({ period_start, period_end }) => isInOrder(period_start, period_end), {
    error: 'End date must be after start date',
    path: ['period_end'],
  });

export type StatementForm = z.infer<typeof statementSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: Statement): StatementForm {
  return {
    title: row?.title ?? '',
    period_start: row?.period_start ?? '',
    period_end: row?.period_end ?? '',
    total_revenue: amountEntry(row?.total_revenue),
    total_expenses: amountEntry(row?.total_expenses),
    notes: row?.notes ?? '',
  };
}

/** @returns the columns to store; the database computes the net profit */
export function toRow(form: StatementForm) {
  return {
    ...form,
    total_revenue: amountOrNull(form.total_revenue),
    total_expenses: amountOrNull(form.total_expenses),
    notes: orNull(form.notes),
  };
}
