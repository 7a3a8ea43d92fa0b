import { describe, expect, it } from 'vitest';
import { describeEarning, type Earning, formatAbout } from './earnings.ts';

const earning = (change: Partial<Earning> = {}): Earning => ({
  ...{ period_start: '2026-11-01', period_end: '2026-11-30', currency: 'USD', basis: 'hourly' },
  ...{ minutes: 143 * 60, amount: 127.84 },
  ...change,
});

describe('what a guard earns, in a sentence', () => {
  it('names the month, the hours and an amount that is only about right', () => {
    expect(describeEarning(earning())).toBe(
      'So far in November: 143 h, about US$128 before deductions',
    );
  });

  it('names the first day of a week or a fortnight', () => {
    const week = { period_start: '2026-11-23', period_end: '2026-11-29', minutes: 1470 };
    expect(describeEarning(earning({ ...week, amount: 12000, currency: 'LRD' }))).toBe(
      'So far since Nov 23, 2026: 24 h 30 min, about L$12,000 before deductions',
    );
  });

  it('says that a salary is that of the whole period', () => {
    expect(describeEarning(earning({ basis: 'salary', amount: 150 }))).toBe(
      'So far in November: 143 h; your salary and what comes on top, about US$150 before deductions',
    );
  });
});

it.each([
  [0.49, 'US$0'],
  [0.5, 'US$1'],
  [1234.5, 'US$1,235'],
  [-3.2, '-US$3'],
])('rounds %d to %s', (amount, text) => {
  expect(formatAbout(amount, 'USD')).toBe(text);
});
