import { z } from 'zod';
import { company } from '#company';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { BANK_ACCOUNTS_BALANCE_TYPE, BANK_ACCOUNTS_STATUS } from '#shared/database.values.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';

export type BankAccount = Database['public']['Tables']['bank_accounts']['Row'];

export const bankAccountSchema = z
  .object({
    account_number: textField('Account number', limits.BANK_ACCOUNTS_ACCOUNT_NUMBER_MAX).min(
      1,
      'Account number is required',
    ),
    account_title: textField('Account title', limits.BANK_ACCOUNTS_ACCOUNT_TITLE_MAX).min(
      1,
      'Account title is required',
    ),
    bank_name: textField('Bank name', limits.BANK_ACCOUNTS_BANK_NAME_MAX).min(
      1,
      'Bank name is required',
    ),
    currency: z.string().regex(/^[A-Z]{3}$/, 'Currency is required'),
    current_balance: amountField({
      name: 'Current balance',
      negative: 'Current balance cannot be negative: choose Dr or Cr instead of a minus',
    }),
    balance_type: z.enum(BANK_ACCOUNTS_BALANCE_TYPE),
    statement_period_start: optionalDayField,
    statement_period_end: optionalDayField,
    address: textField('Address', limits.BANK_ACCOUNTS_ADDRESS_MAX),
    status: z.enum(BANK_ACCOUNTS_STATUS),
    notes: textField('Notes', limits.BANK_ACCOUNTS_NOTES_MAX),
  })
  .refine((form) => isInOrder(form.statement_period_start, form.statement_period_end), {
    error: 'The period must end after it starts',
    path: ['statement_period_end'],
  });

export type BankAccountForm = z.infer<typeof bankAccountSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: BankAccount): BankAccountForm {
  return {
    account_number: row?.account_number ?? '',
    account_title: row?.account_title ?? '',
    bank_name: row?.bank_name ?? '',
    currency: row?.currency ?? company.currencies[0],
    current_balance: amountEntry(row?.current_balance),
    balance_type: row?.balance_type ?? 'Dr',
    statement_period_start: row?.statement_period_start ?? '',
    statement_period_end: row?.statement_period_end ?? '',
    address: row?.address ?? '',
    status: row?.status ?? 'ACTIVE',
    notes: row?.notes ?? '',
  };
}

/** @returns the columns to store */
export function toRow(form: BankAccountForm) {
  return {
    ...form,
    current_balance: amountOrNull(form.current_balance),
    statement_period_start: orNull(form.statement_period_start),
    statement_period_end: orNull(form.statement_period_end),
    address: orNull(form.address),
    notes: orNull(form.notes),
  };
}
