import { describe, expect, test } from 'vitest';
import { placeOf } from './document-link.tsx';
import { differencesOf, entrySchema, newLine, toLines } from './entry-schema.ts';
import { type Balance, currenciesOf, profitOf, sheetOf } from './statements.ts';

const balance = (kind: string, more: Partial<Balance>): Balance => ({
  account_id: `${kind} ${more.code}`,
  code: '1000',
  name: kind,
  currency: 'USD',
  ...{ opening: 0, debit: 0, credit: 0, closing: 0, kept: 0 },
  kind,
  ...more,
});

/** 100 earned last year and 250.10 this year, of which 80.05 were spent; a loan of 40 was taken. */
const BALANCES = [
  balance('asset', { closing: 310.05 }),
  balance('liability', { closing: -40 }),
  balance('income', { opening: -100, credit: 250.1, closing: -350.1, kept: -100 }),
  balance('expense', { debit: 80.05, closing: 80.05 }),
];

describe('statements', () => {
  test('of profit have what moved between the days', () => {
    const { income, expenses, profit } = profitOf(BALANCES);
    expect(income.total).toBe(25_010n);
    expect(expenses.total).toBe(8_005n);
    expect(profit).toBe(17_005n);
  });

  test('of what is there carry the profit of this year and of earlier ones', () => {
    const { assets, liabilities, equity, isBalanced } = sheetOf(BALANCES);
    expect([assets.total, liabilities.total, equity.total]).toEqual([31_005n, 4_000n, 27_005n]);
    expect(equity.lines.map(({ name, cents }) => [name, cents])).toEqual([
      ['Profit of earlier years', 10_000n],
      ['Profit of this year', 17_005n],
    ]);
    expect(isBalanced).toBe(true);
    expect(sheetOf([...BALANCES, balance('asset', { closing: 0.01 })]).isBalanced).toBe(false);
  });

  test('leave out accounts without an amount, and keep currencies apart', () => {
    expect(profitOf([balance('income', { closing: -5 })]).income.lines).toEqual([]);
    expect(currenciesOf([...BALANCES, balance('asset', { currency: 'LRD' })])).toEqual([
      'USD',
      'LRD',
    ]);
  });
});

describe('an entry by hand', () => {
  const lines = [
    { ...newLine(), account: 'bank', debit: '1,000.50' },
    { ...newLine(), account: 'cash', credit: '1000.5' },
    { ...newLine('LRD'), account: 'cash', debit: '3' },
  ];
  const form = { kind: 'transfer' as const, day: '2026-09-01', description: 'To the safe', lines };

  test('must balance in each currency', () => {
    expect(differencesOf(lines)).toEqual([['LRD', 300n]]);
    expect(entrySchema.safeParse(form).error?.issues).toMatchObject([
      { message: 'Debits and credits must be equal in each currency', path: ['lines'] },
    ]);
    expect(entrySchema.safeParse({ ...form, lines: lines.slice(0, 2) }).success).toBe(true);
  });

  test('of opening balances need not: the rest is capital', () => {
    expect(entrySchema.safeParse({ ...form, kind: 'opening' }).success).toBe(true);
  });

  test('has either a debit or a credit on each line', () => {
    for (const sides of [
      { debit: '', credit: '' },
      { debit: '1', credit: '1' },
    ])
      expect(
        entrySchema.safeParse({ ...form, lines: [{ ...newLine(), account: 'bank', ...sides }] })
          .error?.issues,
      ).toMatchObject([{ message: 'Enter a debit or a credit' }]);
  });

  test('is sent with credits below zero', () => {
    expect(toLines(lines).map(({ amount }) => amount)).toEqual([1000.5, -1000.5, 3]);
  });
});

describe('a document of the ledger', () => {
  const row = (kind: string, document = 'X') => ({
    ...{ place: 1, day: '2026-09-01', kind, document, opens: 'id', text: '' },
    ...{ debit: '1.00', credit: '0.00', balance: '1.00' },
  });

  test('opens where it can be seen', () => {
    expect(placeOf(row('invoice'))).toEqual({ to: '/admin/invoices/id' });
    expect(placeOf(row('payment_return'))).toEqual({ to: '/admin/payruns/id' });
    expect(placeOf(row('vat_payment', 'VAT 2026-10'))).toMatchObject({
      search: { month: '2026-10' },
    });
    expect(placeOf({ ...row('payroll'), opens: null })).toEqual({ to: '/admin/payroll' });
  });

  test('of a kind that only a newer server knows is plain text', () => {
    expect(placeOf(row('dividend'))).toBeUndefined();
  });
});
