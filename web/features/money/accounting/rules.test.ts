import { expect, test } from 'vitest';
import { groupDocuments, type JournalLine, shownDays } from './rules.ts';

const line = (document: string, debit: string, credit: string, currency = 'USD'): JournalLine => ({
  day: '2026-03-01',
  kind: 'invoice',
  document,
  account_code: '1100',
  account_name: 'Accounts receivable',
  debit,
  credit,
  currency,
  text: 'Port',
});

test('lines belong to their document, and one that does not balance shows', () => {
  const lines = [
    line('INV-1', '0.30', '0.00'),
    line('INV-1', '0.00', '0.10'),
    line('INV-1', '0.00', '0.20'),
    line('INV-2', '5.00', '0.00', 'LRD'),
    line('INV-2', '0.00', '4.99', 'LRD'),
  ];
  expect(
    groupDocuments(lines).map(({ document, lines: of, isBalanced }) => [
      document,
      of.length,
      isBalanced,
    ]),
  ).toEqual([
    ['INV-1', 3, true],
    ['INV-2', 2, false],
  ]);
});

test('a balance sheet is of the year up to its day', () => {
  expect(shownDays({ tab: 'sheet', from: '2026-10-01', to: '2021-03-31' })).toEqual({
    from: '2021-01-01',
    to: '2021-03-31',
  });
  expect(shownDays({ tab: 'profit', from: '2021-02-01', to: '2021-03-31' })).toEqual({
    from: '2021-02-01',
    to: '2021-03-31',
  });
});
