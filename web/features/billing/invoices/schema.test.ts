import { expect, it } from 'vitest';
import { lessWithheld, receiptSchema } from './schema.ts';

it('refuses a receipt of nothing', () => {
  const receipt = {
    id: crypto.randomUUID(),
    amount: '0.00',
    withheld: '',
    received_on: '2026-11-27',
    method: 'bank',
    reference: '',
    bank_account_id: '',
    is_another: false,
  };
  expect(receiptSchema.safeParse(receipt).error?.issues.map(({ message }) => message)).toEqual([
    'Amount must be greater than 0',
  ]);
  expect(receiptSchema.safeParse({ ...receipt, amount: '0.01' }).success).toBe(true);
  expect(receiptSchema.safeParse({ ...receipt, withheld: '0.01' }).success).toBe(true);
});

it('takes the tax that a client withholds from the price without VAT', () => {
  const invoice = { open_amount: 1180, subtotal: 1000, total: 1180 };
  expect(lessWithheld(invoice, 0.1)).toEqual({ amount: 1080, withheld: 100 });
  expect(lessWithheld({ ...invoice, open_amount: 590 }, 0.1)).toEqual({
    amount: 540,
    withheld: 50,
  });
});

it.each([
  [{ open_amount: 1.0, subtotal: 1.0, total: 1.0 }, 0.145, 0.15],
  [{ open_amount: 10.05, subtotal: 10.05, total: 10.05 }, 0.1, 1.01],
  [
    { open_amount: 999_999_999_999.99, subtotal: 999_999_999_999.99, total: 999_999_999_999.99 },
    0.1,
    100_000_000_000,
  ],
  [{ open_amount: 0, subtotal: 0, total: 0 }, 0.1, 0],
])('rounds what is withheld of %j at %d once, half a cent upwards', (invoice, rate, withheld) => {
  expect(lessWithheld(invoice, rate).withheld).toBe(withheld);
});
