import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { EXPENSE_REPORTS_CATEGORY, EXPENSE_REPORTS_REPORT_TYPE } from '#shared/database.values.ts';
import { parseCents } from '#shared/money.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, shortNotesField, titleField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

export type Expense = Database['public']['Tables']['expense_reports']['Row'] & {
  sites: { name: string } | null;
};

const TOO_LITTLE = 'Amount must be greater than 0';

export const expenseSchema = z.object({
  title: titleField,
  amount: amountField({ name: 'Amount', required: TOO_LITTLE, negative: TOO_LITTLE }).refine(
    (entry) => {
      const amount = amountOrNull(entry);
      return amount === null || parseCents(amount) > 0n;
    },
    { error: TOO_LITTLE },
  ),
  category: z.enum(EXPENSE_REPORTS_CATEGORY),
  expense_date: bookDayField('Date is required', 'Date'),
  report_type: z.enum(EXPENSE_REPORTS_REPORT_TYPE),
  /** Id of the site whose direct cost it is, or ''. */
  site_id: z.string(),
  notes: shortNotesField,
});

export type ExpenseForm = z.infer<typeof expenseSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: Expense): ExpenseForm {
  return {
    title: row?.title ?? '',
    amount: amountEntry(row?.amount),
    category: row?.category ?? 'operations',
    expense_date: row?.expense_date ?? today(),
    report_type: row?.report_type ?? 'daily',
    site_id: row?.site_id ?? '',
    notes: row?.notes ?? '',
  };
}

/** @returns the columns to store */
export function toRow(form: ExpenseForm) {
  return {
    ...form,
    amount: amountOrNull(form.amount) ?? 0,
    site_id: orNull(form.site_id),
    notes: orNull(form.notes),
  };
}
