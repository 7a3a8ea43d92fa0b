import { PAY_ACCOUNTS_CHANNEL } from '#shared/database.values.ts';
import { readChoice } from '#web/lib/files/choice-of.ts';
import type { ImportColumn, RowReader } from '#web/lib/files/read-table.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { PAY_CHANNEL_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { accountSchema, type ListedAccount } from './account-schema.ts';

/** Exported by the list, and read again by an import. */
export const EXPORT_COLUMNS: TableColumn<ListedAccount>[] = [
  { heading: 'Person', value: ({ staff }) => staff.full_name },
  { heading: 'Paid By', value: ({ channel }) => PAY_CHANNEL_LABELS[channel] },
  { heading: 'Name on the Account', value: (row) => row.account_name },
  { heading: 'Account Number', value: (row) => row.account_number ?? '' },
  { heading: 'Bank', value: (row) => row.bank_name ?? '' },
  { heading: 'Verified', value: ({ verified_at }) => (verified_at === null ? 'No' : 'Yes') },
];

export const IMPORT_COLUMNS: readonly ImportColumn[] = [
  { heading: 'Person', isRequired: true, kind: 'text', note: 'Name, phone number or email' },
  {
    heading: 'Paid By',
    isRequired: true,
    choices: PAY_ACCOUNTS_CHANNEL.map((channel) => PAY_CHANNEL_LABELS[channel]),
  },
  { heading: 'Name on the Account', note: 'Empty: the person’s name' },
  {
    heading: 'Account Number',
    isRequired: true,
    kind: 'text',
    note: 'The phone number for mobile money; empty for cash',
  },
  { heading: 'Bank', note: 'Only for bank accounts' },
];

/** Limit of import_pay_accounts. */
export const MOST_ACCOUNTS = 2000;

/** Validates a row like the form. The server finds the person; without a name on the account it is theirs. */
export const readAccount: RowReader = (cells) => {
  const { Person: person = '', 'Name on the Account': account_name = '' } = cells;
  if (person === '') return { problem: 'Person is required' };
  const channel = readChoice(PAY_CHANNEL_LABELS, PAY_ACCOUNTS_CHANNEL, cells['Paid By'] ?? '');
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
