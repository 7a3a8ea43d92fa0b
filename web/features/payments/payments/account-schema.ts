import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { PAY_ACCOUNTS_CHANNEL } from '#shared/database.values.ts';
import { toE164 } from '#shared/phone.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import type { PayChannel } from '#web/lib/vocabulary/kinds.ts';

export type PayAccount = Database['public']['Tables']['pay_accounts']['Row'];

export type ListedAccount = PayAccount & { staff: { full_name: string; user_id: string | null } };

/** Whether the account is a phone number. */
export const isMobile = (channel: PayChannel) =>
  channel === 'mtn_momo' || channel === 'orange_money';

/** As the database stores it. */
const bankNumber = (written: string) => written.replace(/[ .-]/g, '').toUpperCase();

/** Spreadsheets would run a name that starts like a formula. */
const isPlain = (text: string) => !/^[-=+@]/.test(text);

export const accountSchema = z
  .object({
    channel: z.enum(PAY_ACCOUNTS_CHANNEL),
    account_name: textField('Name', limits.PAY_ACCOUNTS_ACCOUNT_NAME_MAX)
      .min(1, 'Name is required')
      .refine(isPlain, 'Name must start with a letter'),
    bank_name: textField('Bank', limits.PAY_ACCOUNTS_BANK_NAME_MAX).refine(
      isPlain,
      'Bank must start with a letter',
    ),
    account_number: z.string().trim(),
  })
  .refine(({ channel, bank_name }) => channel !== 'bank' || bank_name !== '', {
    error: 'Bank is required',
    path: ['bank_name'],
  })
  .refine(
    ({ channel, account_number }) =>
      channel !== 'bank' || /^[A-Z0-9]{4,34}$/.test(bankNumber(account_number)),
    { error: 'Account number has 4 to 34 letters and digits', path: ['account_number'] },
  )
  .refine(
    ({ channel, account_number }) => !isMobile(channel) || toE164(account_number) !== undefined,
    { error: 'Invalid phone number', path: ['account_number'] },
  );

export type AccountForm = z.infer<typeof accountSchema>;

/** @returns the form filled with a stored account; empty without one */
export function toForm(row: PayAccount | null, name: string): AccountForm {
  return {
    channel: row?.channel ?? 'mtn_momo',
    account_name: row?.account_name ?? name,
    bank_name: row?.bank_name ?? '',
    account_number: row?.account_number ?? '',
  };
}

export function toRow({ channel, account_name, bank_name, account_number }: AccountForm) {
  return {
    channel,
    account_name,
    bank_name: channel === 'bank' ? orNull(bank_name) : null,
    account_number: channel === 'cash' ? null : account_number,
  };
}
