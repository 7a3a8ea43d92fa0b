import { expect, test } from 'vitest';
import { describeBasis } from './pay-basis.ts';

test.each([
  ['salary', 'USD', 'bi-weekly', '$1,143.50 bi-weekly'],
  ['hourly', 'LRD', 'weekly', 'L$1,143.50 an hour, paid weekly'],
  ['shift', 'USD', 'monthly', '$1,143.50 a shift, paid monthly'],
])('%s in %s', (basis, currency, payment_frequency, text) => {
  expect(describeBasis({ amount: 1143.5, currency, basis, payment_frequency })).toBe(text);
});
