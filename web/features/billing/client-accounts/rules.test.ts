import { expect, test } from 'vitest';
import { formatCents } from '#shared/money.ts';
import { type Entry, listVoidable, sumEntries } from './rules.ts';

const entry = (kind: string, figures: Partial<Entry>): Entry => ({
  day: '2026-03-01',
  kind,
  id: null,
  document: '',
  text: '',
  charge: 0,
  payment: 0,
  balance: 0,
  ...figures,
});

test('charges and payments are summed without the balances, to the cent', () => {
  const sums = sumEntries([
    entry('opening', { balance: 0.1 }),
    entry('invoice', { charge: 0.2, balance: 0.3 }),
    entry('receipt', { payment: 0.3, balance: 0 }),
    entry('void', { charge: 0.3, balance: 0.3 }),
    entry('closing', { balance: 0.3 }),
  ]);
  expect(Object.entries(sums).map(([name, cents]) => `${name} ${formatCents(cents)}`)).toEqual([
    'opening 0.10',
    'charges 0.50',
    'payments 0.30',
    'closing 0.30',
  ]);
});

test('a receipt can be voided once', () => {
  const entries = [
    entry('invoice', { id: 'invoice' }),
    entry('receipt', { id: 'voided' }),
    entry('receipt', { id: 'kept' }),
    entry('void', { id: 'voided' }),
  ];
  expect([...listVoidable(entries)]).toEqual(['kept']);
});
