import { describe, expect, test } from 'vitest';
import { guessHeadings } from './feed-schema.ts';
import { oldestFirst, readDay, readSigned, statementReader, toLines } from './statement-file.ts';

const SETTINGS = {
  day_heading: 'Value Date',
  description_heading: 'Narration',
  reference_heading: null,
  amount_heading: null,
  in_heading: 'Credit',
  out_heading: 'Debit',
  balance_heading: 'Balance',
  day_order: 'day_month_year',
} as const;

test.each([
  ['05/10/2026', 'day_month_year', '2026-10-05'],
  ['10/05/2026', 'month_day_year', '2026-10-05'],
  ['26.10.05', 'year_month_day', '2026-10-05'],
  ['5-Oct-26', 'month_day_year', '2026-10-05'],
  ['Oct 5, 2026', 'day_month_year', '2026-10-05'],
  ['2026-10-05 14:30', 'day_month_year', '2026-10-05'],
  ['2026-10-05T14:30:00', 'month_day_year', '2026-10-05'],
  ['31/02/2026', 'day_month_year', undefined],
  ['Total', 'day_month_year', undefined],
] as const)('%s read as %s is %s', (text, order, day) => {
  expect(readDay(text, order)).toBe(day);
});

test.each([
  ['1,250.50', 1250.5],
  ['-40', -40],
  ['(1,000.00)', -1000],
  ['12.00-', -12],
  ['12.00 DR', -12],
  ['12.00CR', 12],
  ['US$ 7.10', 7.1],
  ['', null],
  ['-', null],
  ['1.250,50', undefined],
  ['n/a', undefined],
])('%s is the amount %s', (text, amount) => {
  expect(readSigned(text)).toBe(amount);
});

describe('a row', () => {
  const read = (cells: Record<string, string>) => statementReader(SETTINGS)(cells);

  test('has money in or out', () => {
    const cells = { 'Value Date': '05/10/2026', Narration: 'Fee', Balance: '95.00' };
    expect(read({ ...cells, Debit: '5.00', Credit: '' })).toEqual({
      record: { day: '2026-10-05', amount: -5, balance: 95, description: 'Fee', reference: null },
    });
    expect(read({ ...cells, Debit: '-5.00', Credit: '0.00' })).toMatchObject({
      record: { amount: -5 },
    });
    expect(read({ ...cells, Debit: '', Credit: '' })).toEqual({ problem: 'The amount is missing' });
  });

  test('names what can’t be read', () => {
    expect(read({ 'Value Date': 'Total', Debit: '5' })).toEqual({
      problem: 'Value Date is no date',
    });
  });
});

test('lines are ordered from the oldest on', () => {
  const line = (number: number, day: string, amount: number, balance: number | null = null) => ({
    ...{ number, day, amount, balance },
    ...{ description: null, reference: null },
  });
  const numbers = (lines: ReturnType<typeof line>[]) =>
    oldestFirst(lines).map((each) => each.number);
  expect(numbers([line(2, '2026-10-02', 1), line(3, '2026-10-01', 1)])).toEqual([3, 2]);
  expect(numbers([line(2, '2026-10-01', 1), line(3, '2026-10-02', 1)])).toEqual([2, 3]);
  // Of one day: the balance of the second is the first's before its amount.
  expect(numbers([line(2, '2026-10-01', 5, 15), line(3, '2026-10-01', 10, 10)])).toEqual([3, 2]);
  expect(toLines([{ day: '2026-10-01', amount: 1, balance: null }], [7])).toMatchObject([
    { number: 7, day: '2026-10-01' },
  ]);
});

test('columns are guessed from the headings of a bank', () => {
  expect(
    guessHeadings(['Value Date', 'Transaction Date', 'Narration', 'Debit', 'Credit', 'Balance']),
  ).toEqual({
    day_heading: 'Transaction Date',
    description_heading: 'Narration',
    reference_heading: '',
    amount_heading: '',
    amounts: 'two',
    in_heading: 'Credit',
    out_heading: 'Debit',
    balance_heading: 'Balance',
  });
});
