import { z } from 'zod';
import { company } from '#company';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { LOANS_STATUS } from '#shared/database.values.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';

export type Loan = Database['public']['Tables']['loans']['Row'];

const unsigned = (name: string) => amountField({ name, negative: `${name} cannot be negative` });

export const loanSchema = z
  .object({
    loan_account_number: textField('Loan account number', limits.LOANS_LOAN_ACCOUNT_NUMBER_MAX).min(
      1,
      'Loan account number is required',
    ),
    account_title: textField('Account title', limits.LOANS_ACCOUNT_TITLE_MAX).min(
      1,
      'Account title is required',
    ),
    bank_name: textField('Bank name', limits.LOANS_BANK_NAME_MAX).min(1, 'Bank name is required'),
    currency: z.string().regex(/^[A-Z]{3}$/, 'Currency is required'),
    opening_balance: unsigned('Opening balance'),
    current_balance: unsigned('Current balance'),
    total_debit: unsigned('Total debit'),
    total_credit: unsigned('Total credit'),
    statement_period_start: optionalDayField,
    statement_period_end: optionalDayField,
    account_type: textField('Account type', limits.LOANS_ACCOUNT_TYPE_MAX),
    status: z.enum(LOANS_STATUS),
    notes: textField('Notes', limits.LOANS_NOTES_MAX),
  })
  .refine((form) => isInOrder(form.statement_period_start, form.statement_period_end), {
    error: 'The period must end after it starts',
    path: ['statement_period_end'],
  });

export type LoanForm = z.infer<typeof loanSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: Loan): LoanForm {
  return {
    loan_account_number: row?.loan_account_number ?? '',
    account_title: row?.account_title ?? '',
    bank_name: row?.bank_name ?? '',
    currency: row?.currency ?? company.currencies[0],
    opening_balance: amountEntry(row?.opening_balance),
    current_balance: amountEntry(row?.current_balance),
    total_debit: amountEntry(row?.total_debit),
    total_credit: amountEntry(row?.total_credit),
    statement_period_start: row?.statement_period_start ?? '',
    statement_period_end: row?.statement_period_end ?? '',
    account_type: row ? (row.account_type ?? '') : 'CURRENT',
    status: row?.status ?? 'ACTIVE',
    notes: row?.notes ?? '',
  };
}

/** @returns the columns to store */
export function toRow(form: LoanForm) {
  return {
    ...form,
    opening_balance: amountOrNull(form.opening_balance),
    current_balance: amountOrNull(form.current_balance),
    total_debit: amountOrNull(form.total_debit),
    total_credit: amountOrNull(form.total_credit),
    statement_period_start: orNull(form.statement_period_start),
    statement_period_end: orNull(form.statement_period_end),
    account_type: orNull(form.account_type),
    notes: orNull(form.notes),
  };
}
