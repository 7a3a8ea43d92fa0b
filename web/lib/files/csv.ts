import { download } from './download.ts';
import { FORMULA } from './formula-guard.ts';

export type CsvColumn<Row> = {
  heading: string;
  value: (row: Row) => string | number | null | undefined;
};

/** @returns the text of a file that `readCsv` reads again */
export async function writeCsv<Row>(columns: CsvColumn<Row>[], rows: Row[]): Promise<string> {
  const { unparse } = (await import('papaparse')).default;
  const fields = columns.map(({ heading }) => heading);
  const data = rows.map((row) => columns.map(({ value }) => value(row) ?? ''));
  return unparse({ fields, data }, { escapeFormulae: FORMULA });
}

/** @param name of the file, without extension */
export async function downloadCsv<Row>(name: string, columns: CsvColumn<Row>[], rows: Row[]) {
  const text = await writeCsv(columns, rows);
  // The byte order mark makes Excel read it as UTF-8.
  download(`${name}.csv`, new Blob(['\uFEFF', text], { type: 'text/csv' }));
}

/** The backend's limit of rows per response (`max_rows`). */
const PAGE = 1000;

/**
 * Reads all rows, page by page.
 * @param page fetches rows `from` to `to`, both inclusive
 * @param most maximum number of rows
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
