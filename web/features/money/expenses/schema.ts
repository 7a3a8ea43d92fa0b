import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import {
  EXPENSE_REPORTS_CATEGORY,
  EXPENSE_REPORTS_CURRENCY,
  EXPENSE_REPORTS_PAID_FROM,
  EXPENSE_REPORTS_REPORT_TYPE,
} from '#shared/database.values.ts';
import { parseCents } from '#shared/money.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, shortNotesField, textField, titleField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

export type Expense = Database['public']['Tables']['expense_reports']['Row'] & {
  sites: { name: string } | null;
};

const hasVat = (entry: string): boolean => parseCents(amountOrNull(entry)) > 0n;

const TOO_LITTLE = 'Amount must be greater than 0';

export const expenseSchema = z
  .object({
    title: titleField,
    amount: amountField({ name: 'Amount', required: TOO_LITTLE, negative: TOO_LITTLE }).refine(
      (entry) => {
        const amount = amountOrNull(entry);
        return amount === null || parseCents(amount) > 0n;
      },
      { error: TOO_LITTLE },
    ),
    currency: z.enum(EXPENSE_REPORTS_CURRENCY),
    category: z.enum(EXPENSE_REPORTS_CATEGORY),
    expense_date: bookDayField('Date is required', 'Date'),
    report_type: z.enum(EXPENSE_REPORTS_REPORT_TYPE),
    /** Id of the site whose direct cost it is, or ''. */
    site_id: z.string(),
    paid_from: z.enum(EXPENSE_REPORTS_PAID_FROM),
    supplier: textField('Supplier', limits.EXPENSE_REPORTS_SUPPLIER_MAX),
    supplier_tin: textField('Tax number', limits.EXPENSE_REPORTS_SUPPLIER_TIN_MAX),
    /** Part of the amount; empty where it is not claimed. */
    vat_amount: amountField({ name: 'VAT', negative: 'VAT cannot be negative' }),
    notes: shortNotesField,
  })
  .refine(({ vat_amount, supplier }) => !hasVat(vat_amount) || supplier !== '', {
    path: ['supplier'],
    error: 'VAT is claimed with its supplier',
  })
  .refine(
    ({ vat_amount, amount }) =>
      !hasVat(vat_amount) ||
      parseCents(amountOrNull(vat_amount)) < parseCents(amountOrNull(amount)),
    { path: ['vat_amount'], error: 'VAT must be less than the amount' },
  );

export type ExpenseForm = z.infer<typeof expenseSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: Expense): ExpenseForm {
  return {
    title: row?.title ?? '',
    amount: amountEntry(row?.amount),
    currency: row?.currency ?? 'USD',
    category: row?.category ?? 'operations',
    expense_date: row?.expense_date ?? today(),
    report_type: row?.report_type ?? 'daily',
    site_id: row?.site_id ?? '',
    paid_from: row?.paid_from ?? 'bank',
    supplier: row?.supplier ?? '',
    supplier_tin: row?.supplier_tin ?? '',
    vat_amount: row && row.vat_amount > 0 ? amountEntry(row.vat_amount) : '',
    notes: row?.notes ?? '',
  };
}

/** @returns the columns to store */
export function toRow(form: ExpenseForm) {
  return {
    ...form,
    amount: amountOrNull(form.amount) ?? 0,
    site_id: orNull(form.site_id),
    supplier: orNull(form.supplier),
    supplier_tin: orNull(form.supplier_tin),
    vat_amount: amountOrNull(form.vat_amount) ?? 0,
    notes: orNull(form.notes),
  };
}
