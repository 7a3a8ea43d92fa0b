import { expect, it } from 'vitest';
import { displayValue } from './changes.ts';

it.each([
  ['base_amount', 5.5, '5.50'],
  ['amount', 1250, '1,250.00'],
  ['monthly_rate', 900, '900.00'],
  ['current_balance', -3, '-3.00'],
  ['bonuses', 0, '0.00'],
  ['net_profit', null, '-'],
  // Not amounts of money.
  ['number_of_guards', 4, '4'],
  ['balance_type', 'Dr', 'Dr'],
  ['late_minutes', 5.5, '5.5'],
  ['overridden_rules', ['rest', 'week_hours'], 'rest, week_hours'],
  ['flags', [], '-'],
  [
    'period',
    '["2031-11-30 18:00:00+00","2031-12-01 06:00:00+00")',
    'November 30th, 2031 at 6:00 PM to December 1st, 2031 at 6:00 AM',
  ],
])('%s: %j is shown as %s', (field, value, text) => {
  expect(displayValue(field, value, new Map())).toBe(text);
});
