// Lists as CSV files, for a spreadsheet.
// Reads a CSV file that somebody chose: rows by heading, and what is wrong with each.
import { download } from './files.ts';

/** A column of the file: its heading, and what stands in it. */
export type CsvColumn<Row> = {
  heading: string;
  value: (row: Row) => string | number | null | undefined;
};

/**
 * Hands the rows to the browser as a download.
 * @param name of the file, without its ending
 */
export async function downloadCsv<Row>(name: string, columns: CsvColumn<Row>[], rows: Row[]) {
  const { unparse } = (await import('papaparse')).default;
  const fields = columns.map(({ heading }) => heading);
  const data = rows.map((row) => columns.map(({ value }) => value(row) ?? ''));
  // A cell that begins like a formula would be run by a spreadsheet; amounts below zero stay amounts.
  const text = unparse({ fields, data }, { escapeFormulae: /^(?:[=+@\t\r]|-(?!\d+(\.\d+)?$))/ });
  // The mark tells spreadsheets that this is UTF-8.
  download(`${name}.csv`, new Blob(['\uFEFF', text], { type: 'text/csv' }));
}

/** How many rows one answer of the backend holds at most. */
const PAGE = 1000;

/**
 * @param page asks for the rows from `from` to `to`, both included
 * @param most of a list that may be endless: no more rows than these are read
 * @returns all of them
 */
export async function everyRow<Row>(
  page: (from: number, to: number) => Promise<Row[]>,
  most = Number.POSITIVE_INFINITY,
) {
  const rows: Row[] = [];
  for (;;) {
    const next = await page(rows.length, Math.min(rows.length + PAGE, most) - 1);
    rows.push(...next);
    if (next.length < PAGE || rows.length >= most) return rows;
  }
}

/** One row of the file: ready to be stored, or with the reason why not. */
export type ReadRow = {
  /** In the file, from 2: the headings are row 1. */
  number: number;
  texts: Record<string, string>;
  record?: Record<string, string | number | null>;
  problem?: string;
};

/** Judges the texts of a row. */
export type RowReader = (
  texts: Record<string, string>,
) => { record: NonNullable<ReadRow['record']> } | { problem: string };

/** As many as one import takes. */
const MOST_ROWS = 5000;

const plain = (heading: string) => heading.trim().toLowerCase();

/**
 * @param headings that the file must have, in any order and case
 * @returns its rows @throws when it is no such file
 */
export async function readCsv(file: File, headings: readonly string[], read: RowReader) {
  const { parse } = (await import('papaparse')).default;
  const { data, meta } = parse<Record<string, string>>(await file.text(), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: plain,
  });
  const missing = headings.filter((heading) => !meta.fields?.includes(plain(heading)));
  if (missing.length > 0) throw new Error(`The file has no column ${missing.join(', ')}.`);
  if (data.length === 0) throw new Error('The file has no rows.');
  if (data.length > MOST_ROWS) throw new Error(`An import has at most ${MOST_ROWS} rows.`);
  return data.map((cells, index): ReadRow => {
    const texts = Object.fromEntries(
      headings.map((heading) => [heading, (cells[plain(heading)] ?? '').trim()]),
    );
    return { number: index + 2, texts, ...read(texts) };
  });
}
