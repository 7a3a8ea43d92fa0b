import type { CellValue, Sheet } from 'hucre/xlsx';
import type { FileRow } from './file-row.ts';

const UNREADABLE =
  'This workbook can’t be read. Save it as an Excel workbook (.xlsx) without a password, and choose that file.';

/** Digits that a spreadsheet keeps of a number. */
const DIGITS = 15;
const plainNumber = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumSignificantDigits: DIGITS,
});

/** @param format of the cell: leading zeros of a phone or account number may be only in it, as `0000000000` */
function numberText(value: number, format = ''): string {
  // Its last digits are lost. Excel shows it like this, and the reader of the rows refuses it.
  if (Math.abs(value) >= 10 ** DIGITS) return value.toExponential(5).toUpperCase();
  const text = plainNumber.format(value);
  return /^0+$/.test(format) && Number.isInteger(value) ? text.padStart(format.length, '0') : text;
}

/** Dates of a workbook have no zone: the library returns their figures as UTC. */
function dateText(value: Date): string {
  const text = value.toISOString();
  const time = text.slice(11, 19).replace(/:00$/, '');
  // A time without a day is counted from the first day of the calendar.
  if (value.getUTCFullYear() < 1900) return time;
  return time === '00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time}`;
}

function cellText(value: CellValue, format: string | undefined): string {
  if (value === null) return '';
  if (typeof value === 'number') return numberText(value, format);
  if (value instanceof Date) return dateText(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : value;
}

function rowOf(sheet: Sheet, values: CellValue[], at: number): FileRow {
  const details = values.map((_, column) => sheet.cells?.get(`${at},${column}`));
  const wrong = details.find((cell) => cell?.type === 'error' || cell?.formulaResult === null);
  const row = {
    number: at + 1,
    cells: values.map((value, column) => cellText(value, details[column]?.style?.numFmt)),
  };
  if (wrong === undefined) return row;
  const problem =
    wrong.type === 'error'
      ? `A cell of this row has the error ${wrong.value}`
      : 'A formula of this row has no result. Open the file in Excel, save it, and choose it again';
  return { ...row, problem };
}

const isEmpty = ({ cells, problem }: FileRow) =>
  problem === undefined && cells.every((cell) => cell.trim() === '');

export type SheetRows = { name: string; rows: FileRow[] };

/**
 * The sheets of an Excel workbook that are not hidden and not empty, without their empty rows.
 * @throws when it is another kind of file
 */
export async function readWorkbook(bytes: Uint8Array): Promise<SheetRows[]> {
  const { readXlsx } = await import('hucre/xlsx');
  const workbook = await readXlsx(bytes, {
    readStyles: true,
    sheets: ({ hidden, veryHidden }) => !hidden && !veryHidden,
  }).catch((cause: unknown) => {
    throw new Error(UNREADABLE, { cause });
  });
  return workbook.sheets
    .map((sheet) => ({
      name: sheet.name,
      rows: sheet.rows.map((values, at) => rowOf(sheet, values, at)).filter((row) => !isEmpty(row)),
    }))
    .filter(({ rows }) => rows.length > 0);
}
