import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { PAYMENT_ACCOUNTS_CURRENCY, PAYMENT_ACCOUNTS_KIND } from '#shared/database.values.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';

type Tables = Database['public']['Tables'];
export type PaymentAccount = Tables['payment_accounts']['Row'];
export type Settings = Tables['billing_settings']['Row'];

export const KIND_LABELS: Record<PaymentAccount['kind'], string> = {
  bank: 'Bank',
  mobile_money: 'Mobile money',
};

const required = (name: string, maximum: number) =>
  textField(name, maximum).min(1, `${name} is required`);

export const accountSchema = z.object({
  currency: z.enum(PAYMENT_ACCOUNTS_CURRENCY),
  kind: z.enum(PAYMENT_ACCOUNTS_KIND),
  provider: required('Bank or service', limits.PAYMENT_ACCOUNTS_PROVIDER_MAX),
  title: required('Name', limits.PAYMENT_ACCOUNTS_TITLE_MAX),
  number: required('Number', limits.PAYMENT_ACCOUNTS_NUMBER_MAX),
  note: textField('Note', limits.PAYMENT_ACCOUNTS_NOTE_MAX),
});
export type AccountForm = z.infer<typeof accountSchema>;

/** @param title in whose name a new one is */
export const toAccountForm = (title: string, row?: PaymentAccount): AccountForm => ({
  currency: row?.currency ?? 'USD',
  kind: row?.kind ?? 'bank',
  provider: row?.provider ?? '',
  title: row?.title ?? title,
  number: row?.number ?? '',
  note: row?.note ?? '',
});

export const accountColumns = ({ note, ...form }: AccountForm) => ({ ...form, note: orNull(note) });

const MOST_DAYS = 6;
const DAYS = /^\s*(\d{1,3}(\s*,\s*\d{1,3})*)?\s*$/;

/** @returns ascending, each once: "21, 7" is 7 and 21 */
export const parseDays = (entry: string): number[] =>
  [...new Set((entry.match(/\d+/g) ?? []).map(Number))].sort((a, b) => a - b);

const areDays = (entry: string): boolean => {
  const days = parseDays(entry);
  return (
    DAYS.test(entry) && days.length <= MOST_DAYS && days.every((day) => day >= 1 && day <= 365)
  );
};

export const settingsSchema = z.object({
  address: textField('Address', limits.BILLING_SETTINGS_ADDRESS_MAX),
  terms: textField('Terms', limits.BILLING_SETTINGS_TERMS_MAX),
  write_off_usd: amountField({
    name: 'Limit',
    required: 'Limit is required',
    negative: 'Limit cannot be negative',
  }).refine((entry) => (amountOrNull(entry) ?? 0) <= 1000, 'Limit is at most 1,000'),
  reminder_days: z
    .string()
    .refine(areDays, `Enter at most ${MOST_DAYS} numbers from 1 to 365, such as 7, 21, 45`),
});
export type SettingsForm = z.infer<typeof settingsSchema>;

export const toSettingsForm = (row: Settings): SettingsForm => ({
  address: row.address ?? '',
  terms: row.terms ?? '',
  write_off_usd: amountEntry(row.write_off_usd),
  reminder_days: row.reminder_days.join(', '),
});

export const settingsColumns = (form: SettingsForm) => ({
  address: orNull(form.address),
  terms: orNull(form.terms),
  write_off_usd: amountOrNull(form.write_off_usd) ?? 0,
  reminder_days: parseDays(form.reminder_days),
});
