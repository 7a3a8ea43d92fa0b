// Pay rates as they are typed, stored and read.
import { describe, expect, it } from 'vitest';
import { emptyRate, formOf, rateSchema, rowOf, wordsOf } from './rates.ts';

const form = { ...emptyRate(), effective_from: '2027-01-01', source: 'Law' };
const times = { id: '', created_by: null, created_at: '', updated_at: '' };

describe('a rate', () => {
  it.each([
    [
      { ...form, kind: 'income_tax', from_amount: '70,000', rate: '5' },
      0.05,
      '5 % above L$70,000.00 a year',
    ],
    [{ ...form, kind: 'nasscorp_employee', rate: '4.25' }, 0.0425, '4.25 %'],
    [{ ...form, kind: 'lrd_per_usd', rate: '184.5' }, 184.5, '184.5'],
    [{ ...form, kind: 'minimum_wage', rate: '5.50' }, 5.5, '$5.50'],
  ] as const)(
    'is stored as a share or as money, and reads as it was typed',
    (typed, rate, words) => {
      const row = { ...times, ...rowOf(typed) };
      expect(row.rate).toBe(rate);
      expect(wordsOf(row)).toBe(words);
      expect(formOf(row).rate).toBe(typed.rate);
    },
  );

  it.each(['', '-1', 'four', '1e3', '5 %'])('is not %j', (rate) => {
    expect(rateSchema.safeParse({ ...form, rate }).success).toBe(false);
  });

  it('that is a wage has two decimals at most', () => {
    const typed = { ...form, kind: 'minimum_wage', rate: '5.505' };
    const message = 'Amount must have two decimals at most';
    expect(rateSchema.safeParse(typed).error?.issues[0]?.message).toBe(message);
    expect(rateSchema.safeParse({ ...typed, kind: 'lrd_per_usd' }).success).toBe(true);
  });

  it('that is a share is at most the whole', () => {
    const typed = { ...form, kind: 'income_tax', rate: '101' };
    expect(rateSchema.safeParse(typed).error?.issues[0]?.message).toBe('A share is at most 100 %');
  });
});
