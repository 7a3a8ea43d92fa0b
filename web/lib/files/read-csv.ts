import { formatCount } from '#shared/count.ts';
import { MOST_IMPORT_BYTES } from '#shared/import-limits.ts';
import { type CsvLine, readLines } from './csv-lines.ts';
import { decodeText } from './decode-text.ts';
import { unguarded } from './formula-guard.ts';

/** One row of the file, with either its record or the problem with it. */
export type ReadRow = {
  /** In the file; the headings are in line 1, unless blank lines come first. */
  line: number;
  cells: Record<string, string>;
  record?: Record<string, string | number | boolean | null>;
  problem?: string;
};

export type ImportedRecord = NonNullable<ReadRow['record']>;

/** @param cells of all columns; those that the file does not have are empty */
export type RowReader = (
  cells: Record<string, string>,
) => { record: ImportedRecord } | { problem: string };

/** Headings, in any order and case. */
export type CsvColumns = { required: readonly string[]; optional?: readonly string[] };

export type ReadFile = {
  rows: ReadRow[];
  /** Headings of ours that the file has. */
  columns: string[];
  ignored: string[];
};

/** Limit of one import. */
const MOST_ROWS = 5000;
const MB = 1024 * 1024;

const normalize = (heading: string) => unguarded(heading.trim()).replace(/\s+/g, ' ').toLowerCase();
const namesOf = (line: CsvLine | undefined) => line?.cells.map(normalize) ?? [];

/** The delimiter with which the file has most of our headings. */
function delimiterOf(text: string, headings: readonly string[]): string {
  const known = new Set(headings.map(normalize));
  const found = (delimiter: string) =>
    namesOf(readLines(text, delimiter, 1)[0]).filter((name) => known.has(name)).length;
  const [best = ','] = [',', ';', '\t'].sort((a, b) => found(b) - found(a));
  return best;
}

function recordsOf(text: string, headings: readonly string[]) {
  // Excel's own way of naming the delimiter.
  const [, named] = /^sep=(.)[\r\n]/i.exec(text) ?? [];
  const lines = readLines(text, named ?? delimiterOf(text, headings));
  const [head, ...rest] = named ? lines.slice(1) : lines;
  if (head === undefined) throw new Error('The file is empty.');
  return { names: namesOf(head), written: head.cells.map((cell) => cell.trim()), rest };
}

function problemOf(cells: string[], headings: number): string | undefined {
  const count = cells.length;
  if (count < headings || cells.slice(headings).some((cell) => cell.trim() !== '')) {
    return `This line has ${count} cells, and the headings have ${headings}`;
  }
  const shortened = cells.find((cell) => /^\s*\d(\.\d+)?E\+\d\d\s*$/.test(cell));
  if (shortened !== undefined) {
    return `A spreadsheet has shortened ${shortened.trim()}. Format the column as text, and enter it again`;
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) {
    return 'This line has letters that were lost. Save the file as “CSV UTF-8” where it was made';
  }
  return undefined;
}

const sizeOf = (rows: ReadRow[]) =>
  new TextEncoder().encode(JSON.stringify(rows.map(({ record }) => record))).length;

/**
 * @param file UTF-8, UTF-16 or Windows-1252; cells are separated by commas, semicolons or tabs
 * @param most rows of one import
 * @throws when headings or rows are missing, the file can't be read, or it is too large
 */
export async function readCsv(
  file: File,
  { required, optional = [] }: CsvColumns,
  read: RowReader,
  most = MOST_ROWS,
): Promise<ReadFile> {
  const headings = [...required, ...optional];
  const text = decodeText(new Uint8Array(await file.arrayBuffer()));
  const { names, written, rest } = recordsOf(text, headings);
  const has = (heading: string) => names.includes(normalize(heading));
  const missing = required.filter((heading) => !has(heading));
  if (missing.length > 0) throw new Error(`The file has no column ${missing.join(', ')}.`);
  const twice = headings.find(
    (heading) => names.filter((name) => name === normalize(heading)).length > 1,
  );
  if (twice !== undefined) throw new Error(`The file has the column ${twice} twice.`);
  if (rest.length === 0) throw new Error('The file has no rows.');
  if (rest.length > most) throw new Error(`An import has at most ${formatCount(most)} rows.`);

  const rows = rest.map(({ line, cells: found }): ReadRow => {
    const cellOf = (heading: string) => unguarded(found[names.indexOf(normalize(heading))] ?? '');
    const cells = Object.fromEntries(headings.map((each) => [each, cellOf(each).trim()]));
    const problem = problemOf(found, names.length);
    return { line, cells, ...(problem === undefined ? read(cells) : { problem }) };
  });
  if (sizeOf(rows) > MOST_IMPORT_BYTES) {
    const limit = `${(MOST_IMPORT_BYTES / MB).toFixed(1)} MB`;
    throw new Error(`The rows are larger than ${limit} together. Import them in two files.`);
  }
  const known = new Set(headings.map(normalize));
  return {
    rows,
    columns: headings.filter(has),
    ignored: written.filter((heading, at) => heading !== '' && !known.has(names[at] ?? '')),
  };
}
