// The files of banks and mobile-money providers: their columns as the account's settings name them, and their rows as lines.
import { parseAmount } from '#shared/money.ts';
import type { ImportColumn, ImportedRecord, RowReader } from '#web/lib/files/read-table.ts';
import { isDay } from '#web/lib/format/is-day.ts';
import type { Feed } from './api.ts';

export type StatementLine = {
  /** Of the row in the file. */
  number: number;
  day: string;
  description: string | null;
  reference: string | null;
  /** Money out is below zero. */
  amount: number;
  balance: number | null;
};

type Settings = Pick<
  Feed,
  | 'day_heading'
  | 'description_heading'
  | 'reference_heading'
  | 'amount_heading'
  | 'in_heading'
  | 'out_heading'
  | 'balance_heading'
  | 'day_order'
>;

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * @param order of numbers alone; a day with a named month or with its year first is read in every order
 * @returns yyyy-MM-dd
 */
export function readDay(text: string, order: Settings['day_order']): string | undefined {
  // A time may follow.
  const [date = ''] = text.trim().split(/[T ]\d{1,2}:/);
  const parts = date.trim().split(/[-/. ,]+/);
  const [first = '', second = '', third = ''] = parts;
  if (parts.length !== 3) return undefined;
  const monthOf = (name: string) => {
    const at = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
    return at === -1 ? undefined : String(at + 1);
  };
  const yearOf = (year: string) => (year.length === 2 ? `20${year}` : year);
  const made = (year: string, month: string, day: string) => {
    const found = `${yearOf(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    return isDay(found) ? found : undefined;
  };
  if (first.length === 4) return made(first, monthOf(second) ?? second, third);
  const named = monthOf(second);
  if (named !== undefined) return made(third, named, first);
  const leading = monthOf(first);
  if (leading !== undefined) return made(third, leading, second);
  if (order === 'month_day_year') return made(third, first, second);
  if (order === 'year_month_day') return made(first, second, third);
  return made(third, second, first);
}

/** @returns null if the cell is empty, undefined if it is no amount; in brackets, with a minus or "DR", it is below zero */
export function readSigned(text: string): number | null | undefined {
  const cell = text.trim().replace(/^(US\$|L\$|\$|USD|LRD)\s*/i, '');
  if (cell === '' || cell === '-') return null;
  const isNegative = /^\(.*\)$/.test(cell) || /^[-−]|[-−]$|DR\.?$/i.test(cell);
  const digits = cell
    .replace(/^\((.*)\)$/, '$1')
    .replace(/(CR|DR)\.?$/i, '')
    .replace(/^[-−+]|[-−]$/g, '')
    .replace(/^(US\$|L\$|\$)\s*/i, '')
    .trim();
  const amount = parseAmount(digits);
  if (amount === undefined) return undefined;
  const value = Number(amount);
  return isNegative ? 0 - value : value;
}

/** The columns that the file must have. */
export function statementColumns(feed: Settings): ImportColumn[] {
  const column = (heading: string | null, isRequired: boolean): ImportColumn[] =>
    heading === null ? [] : [{ heading, isRequired, kind: 'text' }];
  return [
    ...column(feed.day_heading, true),
    ...column(feed.description_heading, true),
    ...column(feed.reference_heading, false),
    ...column(feed.amount_heading, true),
    ...column(feed.in_heading, true),
    ...column(feed.out_heading, true),
    ...column(feed.balance_heading, true),
  ];
}

function amountOf(feed: Settings, cell: (heading: string | null) => string) {
  if (feed.amount_heading !== null) return readSigned(cell(feed.amount_heading));
  const [into, out] = [readSigned(cell(feed.in_heading)), readSigned(cell(feed.out_heading))];
  if (into === undefined || out === undefined) return undefined;
  // Some banks write money out with a minus, and some don't.
  const cents = Math.round((into ?? 0) * 100) - Math.round(Math.abs(out ?? 0) * 100);
  return cents / 100;
}

/** Validates a row by the settings of the account. */
export const statementReader =
  (feed: Settings): RowReader =>
  (cells) => {
    const cell = (heading: string | null) => (heading === null ? '' : (cells[heading] ?? ''));
    const day = readDay(cell(feed.day_heading), feed.day_order);
    if (day === undefined) return { problem: `${feed.day_heading} is no date` };
    const amount = amountOf(feed, cell);
    if (amount === undefined) return { problem: 'The amount can’t be read' };
    if (amount === null || amount === 0) return { problem: 'The amount is missing' };
    const balance = readSigned(cell(feed.balance_heading));
    if (balance === undefined) return { problem: `${feed.balance_heading} can’t be read` };
    return {
      record: {
        day,
        amount,
        balance,
        description: cell(feed.description_heading).slice(0, 500) || null,
        reference: cell(feed.reference_heading).slice(0, 200) || null,
      },
    };
  };

const cents = (amount: number) => Math.round(amount * 100);

/** Many banks list the newest line first. Of a single day, the balances tell. */
function isNewestFirst(lines: readonly StatementLine[]): boolean {
  const [first, second] = lines;
  const last = lines.at(-1);
  if (!first || !second || !last) return false;
  if (first.day !== last.day) return first.day > last.day;
  if (first.balance === null || second.balance === null) return false;
  return cents(first.balance) - cents(first.amount) === cents(second.balance);
}

/** @returns the lines, the oldest first */
export function oldestFirst(lines: readonly StatementLine[]): StatementLine[] {
  const ordered = isNewestFirst(lines) ? lines.toReversed() : [...lines];
  return ordered.sort((a, b) => a.day.localeCompare(b.day));
}

const textOf = (value: ImportedRecord[string] | undefined) =>
  typeof value === 'string' ? value : null;

/** @param numbers of the rows in the file */
export function toLines(records: ImportedRecord[], numbers: number[]): StatementLine[] {
  const lines = records.map((record, index) => ({
    number: numbers[index] ?? index + 1,
    day: textOf(record.day) ?? '',
    description: textOf(record.description),
    reference: textOf(record.reference),
    amount: Number(record.amount),
    balance: typeof record.balance === 'number' ? record.balance : null,
  }));
  return oldestFirst(lines);
}
