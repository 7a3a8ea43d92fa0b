import { expect, it } from 'vitest';
import { formatCents } from '#shared/money.ts';
import { ratePerGuard } from './schema.ts';

it.each([
  [1000, 4, '250.00'],
  [1000, 3, '333.33'],
  [2000, 3, '666.67'],
  [0.05, 2, '0.03'],
  [1.01, 2, '0.51'],
  [999999999999.99, 1, '999,999,999,999.99'],
  [5000, 0, '0.00'],
  [0, 12, '0.00'],
])('%d a month for %d guards is %s each', (rate, guards, expected) => {
  expect(formatCents(ratePerGuard(rate, guards))).toBe(expected);
});
