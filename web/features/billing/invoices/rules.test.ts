import { expect, test } from 'vitest';
import { printedCharge } from '#shared/documents/printed-invoice.ts';
import { isHours } from './rules.ts';

test('lines of hours and monthly amounts open to clock events: nobody clocked in for an uncovered hour', () => {
  const kinds = [
    'regular',
    'rest_day',
    'fixed',
    'minimum',
    'gap_credit',
    'estimate',
    'settlement',
    'other',
  ] as const;
  expect(kinds.filter((kind) => isHours({ kind }))).toEqual(['regular', 'rest_day', 'fixed']);
});

test('a quantity says its unit and its price, with four decimals where it needs them', () => {
  expect(printedCharge({ quantity: 168.5, unit: 'h', rate: 4.5125 }, 'USD')).toBe(
    '168.5 h × $4.5125',
  );
  expect(printedCharge({ quantity: 1, unit: 'month', rate: 900 }, 'LRD')).toBe(
    '1 month × L$900.00',
  );
});
