import { formatCount } from '#shared/count.ts';
import { MOST_IMPORT_BYTES } from '#shared/import-limits.ts';
import { readCsvRows } from './csv-rows.ts';
import { decodeText } from './decode-text.ts';
import type { FileRow } from './file-row.ts';
import { unguarded } from './formula-guard.ts';
import type { ColumnKind } from './write-table.ts';

export type ImportColumn = {
  /** As on the form. The file may have its headings in any order and case. */
  heading: string;
  /** Other headings that mean the same, for example that of the exported list. */
  also?: readonly string[];
  isRequired?: boolean;
  /** For the template: what its cells are; text keeps the zeros of phone and account numbers. */
  kind?: ColumnKind | 'text';
  /** For the template: the texts that a cell may have. */
  choices?: readonly string[];
  /** For the template: how to fill it in. */
  note?: string;
};

/** One row of the file, with either its record or the problem with it. */
export type ReadRow = {
  /** As a spreadsheet shows it; the headings are in row 1, unless empty rows come first. */
  number: number;
  cells: Record<string, string>;
  record?: Record<string, string | number | boolean | null>;
  problem?: string;
};

export type ImportedRecord = NonNullable<ReadRow['record']>;

/** @param cells of all columns by their heading; those that the file does not have are empty */
export type RowReader = (
  cells: Record<string, string>,
) => { record: ImportedRecord } | { problem: string };

export type ReadFile = {
  rows: ReadRow[];
  /** Headings of ours that the file has. */
  columns: string[];
  ignored: string[];
  /** Of a workbook with several sheets: the one that was read. */
  sheet?: string;
};

/** Limit of one import. */
const MOST_ROWS = 5000;
const MB = 1024 * 1024;
/** Of the file itself. A workbook has to be unpacked in memory. */
const MOST_FILE_BYTES = 10 * MB;

const normalize = (heading: string) => heading.trim().replace(/\s+/g, ' ').toLowerCase();
const namesOf = (row: FileRow | undefined) => row?.cells.map(normalize) ?? [];

type Columns = readonly ImportColumn[];

const headingsOf = ({ heading, also = [] }: ImportColumn) => [heading, ...also].map(normalize);
const allHeadings = (columns: Columns) => new Set(columns.flatMap(headingsOf));

/** The delimiter with which the file has most of our headings. */
function delimiterOf(text: string, known: ReadonlySet<string>): string {
  const found = (delimiter: string) =>
    namesOf(readCsvRows(text, delimiter, 1)[0]).filter((name) => known.has(name)).length;
  const [best = ','] = [',', ';', '\t'].sort((a, b) => found(b) - found(a));
  return best;
}

function rowsOfCsv(text: string, known: ReadonlySet<string>): FileRow[] {
  // Excel's own way of naming the delimiter, which it does not count as a row.
  const [, named] = /^sep=(.)[\r\n]/i.exec(text) ?? [];
  const rows = readCsvRows(text, named ?? delimiterOf(text, known)).map(({ number, cells }) => ({
    number: named ? number - 1 : number,
    cells: cells.map(unguarded),
  }));
  return named ? rows.slice(1) : rows;
}

const isWorkbook = ([first, second, third, fourth]: Uint8Array) =>
  first === 0x50 && second === 0x4b && third === 3 && fourth === 4;

/** Of a workbook: the first sheet with the columns that are required, else the first with rows. */
async function rowsOf(
  bytes: Uint8Array,
  columns: Columns,
): Promise<{ found: FileRow[]; sheet?: string }> {
  if (!isWorkbook(bytes)) return { found: rowsOfCsv(decodeText(bytes), allHeadings(columns)) };
  const { readWorkbook } = await import('./read-workbook.ts');
  const sheets = await readWorkbook(bytes);
  const fits = (rows: FileRow[]) => missingOf(columns, namesOf(rows[0])).length === 0;
  const best = sheets.find(({ rows }) => fits(rows)) ?? sheets[0];
  return {
    found: best?.rows ?? [],
    ...(best && sheets.length > 1 && { sheet: best.name }),
  };
}

const placesOf = (column: ImportColumn, names: readonly string[]) => {
  const headings = headingsOf(column);
  return names.flatMap((name, at) => (headings.includes(name) ? [at] : []));
};

const missingOf = (columns: Columns, names: readonly string[]) =>
  columns.filter((column) => column.isRequired && placesOf(column, names).length === 0);

function problemOf({ cells, problem }: FileRow, headings: number): string | undefined {
  if (problem !== undefined) return problem;
  const count = cells.length;
  if (count < headings || cells.slice(headings).some((cell) => cell.trim() !== '')) {
    return `This row has ${count} cells, and the headings have ${headings}`;
  }
  const shortened = cells.find((cell) => /^\s*\d(\.\d+)?E\+\d\d\s*$/.test(cell));
  if (shortened !== undefined) {
    return `A spreadsheet has shortened ${shortened.trim()}. Format the column as text, and enter it again`;
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) {
    return 'This row has letters that were lost. Save the file as “CSV UTF-8” where it was made';
  }
  return undefined;
}

const sizeOf = (rows: ReadRow[]) =>
  new TextEncoder().encode(JSON.stringify(rows.map(({ record }) => record))).length;

const inMegabytes = (bytes: number) => `${(bytes / MB).toFixed(1).replace('.0', '')} MB`;

/**
 * @param file an Excel workbook, or CSV in UTF-8, UTF-16 or Windows-1252, whose cells are separated by commas, semicolons or tabs
 * @param most rows of one import
 * @throws when headings or rows are missing, the file can't be read, or it is too large
 */
export async function readTable(
  file: File,
  columns: Columns,
  read: RowReader,
  most = MOST_ROWS,
): Promise<ReadFile> {
  if (file.size > MOST_FILE_BYTES) {
    const limit = inMegabytes(MOST_FILE_BYTES);
    throw new Error(`The file is larger than ${limit}. Remove pictures, or import it in parts.`);
  }
  const { found, sheet } = await rowsOf(new Uint8Array(await file.arrayBuffer()), columns);
  const [head, ...rest] = found;
  if (head === undefined) throw new Error('The file is empty.');
  const names = namesOf(head);
  const missing = missingOf(columns, names).map(({ heading }) => heading);
  if (missing.length > 0) throw new Error(`The file has no column ${missing.join(', ')}.`);
  const twice = columns.find((column) => placesOf(column, names).length > 1);
  if (twice !== undefined) throw new Error(`The file has the column ${twice.heading} twice.`);
  if (rest.length === 0) throw new Error('The file has no rows.');
  if (rest.length > most) throw new Error(`An import has at most ${formatCount(most)} rows.`);

  const places = columns.map((column) => ({
    heading: column.heading,
    at: placesOf(column, names)[0],
  }));
  const rows = rest.map((row): ReadRow => {
    const cells = Object.fromEntries(
      places.map(({ heading, at = -1 }) => [heading, (row.cells[at] ?? '').trim()]),
    );
    const problem = problemOf(row, names.length);
    return { number: row.number, cells, ...(problem === undefined ? read(cells) : { problem }) };
  });
  if (sizeOf(rows) > MOST_IMPORT_BYTES) {
    const limit = inMegabytes(MOST_IMPORT_BYTES);
    throw new Error(`The rows are larger than ${limit} together. Import them in two files.`);
  }
  const known = allHeadings(columns);
  return {
    rows,
    columns: places.flatMap(({ heading, at }) => (at === undefined ? [] : [heading])),
    ignored: head.cells
      .map((cell) => cell.trim())
      .filter((heading, at) => heading !== '' && !known.has(names[at] ?? '')),
    ...(sheet !== undefined && { sheet }),
  };
}
