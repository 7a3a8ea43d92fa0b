import { expect, test } from 'vitest';
import { writtenFile } from '#tests/support/written-file.ts';
import { readTable } from '#web/lib/files/read-table.ts';
import { EXPORT_COLUMNS, IMPORT_COLUMNS, readAccount } from './account-import.ts';
import type { ListedAccount } from './account-schema.ts';

const row = (cells: Record<string, string>) =>
  readAccount({
    Person: 'Musu Flomo',
    'Paid By': 'Bank',
    'Name on the Account': '',
    'Account Number': '00123456',
    Bank: 'Ecobank',
    ...cells,
  });

test('a row is read like the form, without regard to the case of the channel', () => {
  expect(row({ 'Paid By': 'mtn momo', 'Account Number': '0880 123 456', Bank: '' })).toEqual({
    record: {
      person: 'Musu Flomo',
      channel: 'mtn_momo',
      account_name: '',
      account_number: '0880 123 456',
      bank_name: '',
    },
  });
});

test.each([
  [{ Person: '' }, 'Person is required'],
  [{ 'Paid By': 'Cheque' }, 'Paid By is one of Bank, MTN MoMo, Orange Money, Cash'],
  [{ Bank: '' }, 'Bank is required'],
  [{ 'Account Number': '1.2E+11' }, 'Account number has 4 to 34 letters and digits'],
  [{ 'Paid By': 'Orange Money', 'Account Number': '12' }, 'Invalid phone number'],
  [{ 'Name on the Account': '=cmd()' }, 'Name must start with a letter'],
])('a wrong row says what to correct: %o', (cells, problem) => {
  expect(row(cells)).toEqual({ problem });
});

test.each(['csv', 'xlsx'] as const)(
  'an export of the list as %s is imported again unchanged',
  async (format) => {
    const account: ListedAccount = {
      id: '1',
      staff_id: '2',
      channel: 'mtn_momo',
      account_name: 'Musu Flomo',
      account_number: '+231880123456',
      bank_name: null,
      changed_by: null,
      created_by: null,
      created_at: '',
      updated_at: '',
      verified_at: null,
      verified_by: null,
      staff: { full_name: 'Musu Flomo', user_id: null },
    };
    const accounts: ListedAccount[] = [
      account,
      { ...account, channel: 'bank', account_number: '00123456', bank_name: 'Ecobank' },
      { ...account, channel: 'cash', account_number: null },
    ];
    const file = await writtenFile(format, EXPORT_COLUMNS, accounts);
    const { rows } = await readTable(file, IMPORT_COLUMNS, readAccount);
    expect(rows.map(({ record, problem }) => problem ?? record)).toEqual(
      accounts.map(({ staff, channel, account_name, account_number, bank_name }) => ({
        person: staff.full_name,
        channel,
        account_name,
        account_number: account_number ?? '',
        bank_name: bank_name ?? '',
      })),
    );
  },
);
