import { toLocalInput } from '#web/lib/format/dates.ts';
import { isDay } from '#web/lib/format/is-day.ts';
import { download } from './download.ts';
import type { ColumnKind, TableColumn, Value } from './write-table.ts';

export const NUMBER_FORMATS: Record<ColumnKind, string> = {
  amount: '#,##0.00',
  day: 'yyyy-mm-dd',
  time: 'yyyy-mm-dd hh:mm',
};

/** Excel's limit of letters in a cell. */
const MOST_LETTERS = 32_767;
/** Excel's limit of rows in a sheet, less the headings. */
const MOST_ROWS = 1_048_575;

function toTime(text: string): Date | undefined {
  const instant = /T.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? toLocalInput(text) : text;
  const time = new Date(`${instant.replace(' ', 'T')}Z`);
  return /^\d{4}-\d{2}-\d{2}[ T]/.test(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}

/** Dates of a workbook have no zone: the library takes their UTC figures. */
function toTyped(kind: ColumnKind | undefined, value: Value) {
  if (typeof value !== 'string') return value ?? null;
  const amount = value.replaceAll(',', '');
  if (kind === 'amount' && /^-?\d+(\.\d+)?$/.test(amount)) return Number(amount);
  if (kind === 'day' && isDay(value)) return new Date(value);
  if (kind === 'time') return toTime(value) ?? value;
  return value;
}

/** The library writes control characters as `_x0001_`, and leaves a text that looks like that as it is. */
const escaped = (text: string) => text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_');

const fitted = (text: string) =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;

function toCell(kind: ColumnKind | undefined, value: Value) {
  const typed = toTyped(kind, value);
  return typeof typed === 'string' ? escaped(fitted(typed)) : typed;
}

/** In characters; a longer text is cut on screen, and whole in the cell. */
function widthOf(heading: string, cells: unknown[]): number {
  const lengths = cells.map((cell) => (typeof cell === 'string' ? cell.length : 12));
  return Math.min(60, Math.max(heading.length + 2, ...lengths.map((length) => length + 2)));
}

const BOLD = { font: { bold: true } };

/**
 * @returns the bytes of an Excel workbook. Texts are never formulas, whatever they begin with.
 * @throws when a sheet can't have that many rows
 */
export async function writeWorkbook<Row>(
  name: string,
  columns: TableColumn<Row>[],
  rows: Row[],
): Promise<Uint8Array<ArrayBuffer>> {
  if (rows.length > MOST_ROWS) {
    throw new Error('An Excel sheet has room for 1,048,575 rows. Export CSV, or fewer rows.');
  }
  const { writeXlsx } = await import('hucre/xlsx');
  const cells = rows.map((row) => columns.map(({ kind, value }) => toCell(kind, value(row))));
  const bytes = await writeXlsx({
    sheets: [
      {
        name: sheetName(name),
        rows: [columns.map(({ heading }) => heading), ...cells],
        columns: columns.map(({ heading, kind }, at) => ({
          // The first rows are enough to see how wide a column is.
          width: widthOf(
            heading,
            cells.slice(0, 200).map((row) => row[at]),
          ),
          ...(kind && { numFmt: NUMBER_FORMATS[kind] }),
        })),
        cells: new Map(columns.map((_, at) => [`0,${at}`, { style: BOLD }])),
        freezePane: { rows: 1 },
      },
    ],
  });
  return new Uint8Array(bytes);
}

/** Excel allows 31 letters, without these signs. */
export const sheetName = (name: string) => name.replace(/[[\]:*?/\\']/g, ' ').slice(0, 31);

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const downloadWorkbook = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
  download(`${name}.xlsx`, new Blob([bytes], { type: WORKBOOK }));
