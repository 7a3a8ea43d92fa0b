// Lists as CSV files, for a spreadsheet.
import { download } from './download.ts';

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
