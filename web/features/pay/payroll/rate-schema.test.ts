import { describe, expect, it } from 'vitest';
import { emptyRate, formatRate, rateSchema, toRow } from './rate-schema.ts';

const form = { ...emptyRate(), effective_from: '2027-01-01', source: 'Law' };

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
    const row = toRow(typed);
    expect(row.rate).toBe(rate);
    expect(formatRate(row)).toBe(text);
  });

  it.each(['', '-1', 'four', '1e3', '5 %'])('rejects %j', (rate) => {
    expect(rateSchema.safeParse({ ...form, rate }).success).toBe(false);
  });

  it('allows two decimals at most in a wage', () => {
    const typed = { ...form, kind: 'minimum_wage', rate: '5.505' };
    const message = 'Amount must have two decimals at most';
    expect(rateSchema.safeParse(typed).error?.issues[0]?.message).toBe(message);
    expect(rateSchema.safeParse({ ...form, rate: '184.505' }).success).toBe(true);
  });

  it.each([
    ['income_tax', '61', 'Income tax can be 60 % at most.'],
    ['nasscorp_employee', '0', 'A share of NASSCORP must be above 0 % and at most 30 %.'],
    ['lrd_per_usd', '0', 'The exchange rate must be from L$50 to L$1,000 for one US$.'],
  ] as const)('refuses %s of %s', (kind, rate, message) => {
    const parsed = rateSchema.safeParse({ ...form, kind, rate });
    expect(parsed.error?.issues[0]?.message).toBe(message);
  });

  it('names a tax on invoices', () => {
    const typed = { ...form, kind: 'tax', rate: '18' };
    expect(rateSchema.safeParse(typed).error?.issues[0]?.message).toBe('Name is required');
    expect(toRow({ ...form, kind: 'tax', name: 'VAT', rate: '18' })).toMatchObject({
      name: 'VAT',
      rate: 0.18,
    });
  });
});
