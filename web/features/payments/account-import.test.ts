import { expect, test } from 'vitest';
import { readAccount } from './account-import.ts';

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
