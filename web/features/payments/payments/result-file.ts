// Reads what a bank or a network reports, in the columns and words of the channel's settings.
import { parseAmount } from '#shared/money.ts';
import {
  type ImportColumn,
  type ImportedRecord,
  type ReadFile,
  type ReadRow,
  type RowReader,
  readTable,
} from '#web/lib/files/read-table.ts';
import { isDay } from '#web/lib/format/is-day.ts';
import { type FormatRow, readHeadings } from './format-schema.ts';
import type { ResultLine } from './schema.ts';

type Format = Pick<FormatRow, 'result_columns' | 'paid_words' | 'failed_words' | 'date_format'>;

/** @returns yyyy-MM-dd; undefined if the text is not in this format, or no day of the calendar */
export function readDay(text: string, format: string): string | undefined {
  const pattern = format
    .replace('YYYY', '(?<y>\\d{4})')
    .replace('MM', '(?<m>\\d{2})')
    .replace('DD', '(?<d>\\d{2})');
  // A time may follow.
  const { y, m, d } = new RegExp(`^${pattern}(?!\\d)`).exec(text)?.groups ?? {};
  const day = `${y}-${m}-${d}`;
  return isDay(day) ? day : undefined;
}

/** @returns a reader of one line, whose record is a {@link ResultLine} */
export function resultReader(format: Format): RowReader {
  const headings = readHeadings(format);
  return (cells) => {
    const cell = (name: string | undefined) => (name === undefined ? '' : (cells[name] ?? ''));
    const told = cell(headings.status).toLowerCase();
    const isPaid = format.paid_words.includes(told);
    if (!isPaid && !format.failed_words.includes(told)) {
      return { problem: `"${cell(headings.status)}" means neither paid nor failed` };
    }
    const code = cell(headings.code);
    if (code === '') return { problem: 'Our reference is missing' };
    const record: ImportedRecord = { code, status: isPaid ? 'paid' : 'failed' };
    const written = cell(headings.amount);
    if (written !== '') {
      const amount = parseAmount(written.replace(/^(USD|LRD|L?\$)/, ''));
      if (amount === undefined) return { problem: `"${written}" is not an amount` };
      record.amount = amount;
    }
    const date = cell(headings.date);
    if (date !== '') {
      // Dates of a workbook come as yyyy-MM-dd, whatever they look like there.
      const paid_on = readDay(date, format.date_format) ?? readDay(date, 'YYYY-MM-DD');
      if (paid_on === undefined) return { problem: `"${date}" is not a day` };
      record.paid_on = paid_on;
    }
    if (cell(headings.reference) !== '') record.reference = cell(headings.reference).slice(0, 100);
    if (!isPaid && cell(headings.reason) !== '')
      record.failure = cell(headings.reason).slice(0, 500);
    return { record };
  };
}

export const resultColumns = (format: Format): ImportColumn[] =>
  Object.values(readHeadings(format)).map((heading) => ({
    heading,
    isRequired: true,
    kind: 'text',
  }));

export const readResult = (file: File, format: Format): Promise<ReadFile> =>
  readTable(file, resultColumns(format), resultReader(format));

export const toResultLines = (rows: readonly ReadRow[]) =>
  rows.flatMap(({ record }) => (record ? [record] : []));

export type Lines = readonly (ResultLine | ImportedRecord)[];
