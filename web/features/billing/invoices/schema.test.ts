import { expect, it } from 'vitest';
import { receiptSchema } from './schema.ts';

it('refuses a receipt of nothing', () => {
  const receipt = {
    id: crypto.randomUUID(),
    amount: '0.00',
    received_on: '2026-11-27',
    method: 'bank',
    reference: '',
  };
  expect(receiptSchema.safeParse(receipt).error?.issues.map(({ message }) => message)).toEqual([
    'Amount must be greater than 0',
  ]);
  expect(receiptSchema.safeParse({ ...receipt, amount: '0.01' }).success).toBe(true);
});
