import type { RowReader } from '#web/lib/files/read-csv.ts';
import { PAY_CHANNEL_LABELS, PAY_CHANNELS } from '#web/lib/vocabulary/kinds.ts';
import { accountSchema } from './account-schema.ts';

export const IMPORT_COLUMNS = [
  'Person',
  'Paid By',
  'Name on the Account',
  'Account Number',
  'Bank',
] as const;

/** Validates a row like the form. The server finds the person; without a name on the account it is theirs. */
export const readAccount: RowReader = (cells) => {
  const { Person: person = '', 'Name on the Account': account_name = '' } = cells;
  if (person === '') return { problem: 'Person is required' };
  const paidBy = cells['Paid By']?.toLowerCase();
  const channel = PAY_CHANNELS.find((each) => PAY_CHANNEL_LABELS[each].toLowerCase() === paidBy);
  if (channel === undefined) {
    return { problem: `Paid By is one of ${Object.values(PAY_CHANNEL_LABELS).join(', ')}` };
  }
  const result = accountSchema.safeParse({
    channel,
    account_name: account_name || 'As the person',
    account_number: cells['Account Number'] ?? '',
    bank_name: cells.Bank ?? '',
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid row' };
  const { account_number, bank_name } = result.data;
  return { record: { person, channel, account_name, account_number, bank_name } };
};
