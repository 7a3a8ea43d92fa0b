import { describe, expect, it } from 'vitest';
import { formatRate, formOf, rateSchema, rowOf } from './rate-schema.ts';

const form = { ...formOf(), effective_from: '2027-01-01', source: 'Law' };
const times = { id: '', created_by: null, created_at: '', updated_at: '' };

describe('pay rate', () => {
  it.each([
    [
      { ...form, kind: 'income_tax', from_amount: '70,000', rate: '5' },
      0.05,
      '5 % above L$70,000.00 a year',
    ],
    [{ ...form, kind: 'nasscorp_employee', rate: '4.25' }, 0.0425, '4.25 %'],
    [{ ...form, kind: 'lrd_per_usd', rate: '184.5' }, 184.5, '184.5'],
    [{ ...form, kind: 'minimum_wage', rate: '5.50' }, 5.5, '$5.50'],
  ] as const)('is stored as a share or an amount and shown as typed', (typed, rate, text) => {
    const row = { ...times, ...rowOf(typed) };
    expect(row.rate).toBe(rate);
    expect(formatRate(row)).toBe(text);
    expect(formOf(row).rate).toBe(typed.rate);
  });

  it.each(['', '-1', 'four', '1e3', '5 %'])('rejects %j', (rate) => {
    expect(rateSchema.safeParse({ ...form, rate }).success).toBe(false);
  });

  it('allows two decimals at most in a wage', () => {
    const typed = { ...form, kind: 'minimum_wage', rate: '5.505' };
    const message = 'Amount must have two decimals at most';
    expect(rateSchema.safeParse(typed).error?.issues[0]?.message).toBe(message);
    expect(rateSchema.safeParse({ ...typed, kind: 'lrd_per_usd' }).success).toBe(true);
  });

  it('allows a share of 100 % at most', () => {
    const typed = { ...form, kind: 'income_tax', rate: '101' };
    expect(rateSchema.safeParse(typed).error?.issues[0]?.message).toBe('A share is at most 100 %');
  });
});
