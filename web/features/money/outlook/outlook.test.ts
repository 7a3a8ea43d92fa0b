import { describe, expect, test } from 'vitest';
import {
  type Cash,
  currenciesOf,
  debtorMonths,
  type Expected,
  marginByClient,
  monthsBetween,
  shareOf,
  sourcesOf,
  totalOf,
  weeksOf,
} from './outlook.ts';

const row = (amount: string, week: number | null, more: Partial<Expected> = {}): Expected => ({
  ...{ currency: 'USD', source: 'invoices', week, day: '2026-12-01', amount },
  ...{ document: 'INV-1', opens: null, reason: '' },
  ...more,
});

const CASH: Cash = {
  today: '2026-11-30',
  weeks: 3,
  money: [
    {
      ...{ currency: 'USD', bank: '100.00', cash: '5.50', mobile_money: '4.50' },
      ...{ statements: null, statements_on: null, moved_since: null, books: '100.00' },
    },
  ],
  rows: [
    row('20.25', 1),
    row('-150.00', 2, { source: 'pay_runs' }),
    row('60.00', 3),
    row('900.00', null),
    row('1000.00', 1, { currency: 'LRD' }),
  ],
};

describe('cash', () => {
  test('is what is left at the end of each week, without what comes later', () => {
    expect(totalOf(CASH.money[0])).toBe(11_000n);
    expect(weeksOf(CASH, 'USD')).toEqual([
      { week: 1, begins: '2026-11-30', comes: 2025n, goes: 0n, balance: 13_025n },
      { week: 2, begins: '2026-12-07', comes: 0n, goes: 15_000n, balance: -1975n },
      { week: 3, begins: '2026-12-14', comes: 6000n, goes: 0n, balance: 4025n },
    ]);
    expect(sourcesOf(CASH, 'USD').map(({ source, cents }) => [source, cents])).toEqual([
      ['invoices', 8025n],
      ['pay_runs', -15_000n],
    ]);
  });

  test('of a currency without money begins with nothing', () => {
    expect(currenciesOf(CASH)).toEqual(['USD', 'LRD']);
    expect(weeksOf(CASH, 'LRD').at(-1)?.balance).toBe(100_000n);
  });
});

test('debtors begin with the first month in which something was owed', () => {
  const month = (name: string, owed: string) => ({
    ...{ month: name, currency: 'USD', owed, billed: owed, days: null },
  });
  const months = [month('2026-08-01', '0'), month('2026-09-01', '5.00'), month('2026-10-01', '0')];
  expect(debtorMonths({ months, clients: [] }, 'USD')).toHaveLength(2);
  expect(debtorMonths({ months, clients: [] }, 'LRD')).toEqual([]);
});

test('clients are in the order of their margin, with the sum of their contracts', () => {
  const months = monthsBetween('2026-09-01', '2026-10-31');
  expect(months).toEqual(['2026-09-01', '2026-10-01']);
  const contract = (id: string, client: string, billed: string, cost: string) => ({
    ...{ contract_id: id, contract: id, client_id: client, client, newest: null, since: null },
    months: [{ month: '2026-10-01', billed, cost, margin: '' }],
  });
  const clients = marginByClient(
    {
      ...{ currency: 'USD', first: '2026-09-01', last: '2026-10-31' },
      contracts: [
        contract('a', 'Bank', '10.00', '4.00'),
        contract('b', 'Bank', '10.00', '30.00'),
        contract('c', 'Hotel', '5.00', '4.00'),
      ],
    },
    months,
  );
  expect(clients.map(({ name, margin }) => [name, margin])).toEqual([
    ['Bank', -1400n],
    ['Hotel', 100n],
  ]);
});

test('a share of nothing is no share', () => {
  expect(shareOf('10.00', '400.00')).toBe('2.5 %');
  expect(shareOf('0', '0')).toBeUndefined();
});
