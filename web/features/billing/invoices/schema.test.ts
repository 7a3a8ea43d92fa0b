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
