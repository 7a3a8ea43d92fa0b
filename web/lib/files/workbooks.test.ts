// Workbooks are written and read by the library that the screens use, and by ours as the screens do.
import { type Cell, type CellValue, readXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { writeTemplate } from './import-template.ts';
import { type ImportColumn, type RowReader, readTable } from './read-table.ts';
import { type TableColumn, writeCsv } from './write-table.ts';
import { writeWorkbook } from './write-workbook.ts';

const COLUMNS: readonly ImportColumn[] = [
  { heading: 'Full Name', also: ['Name'], isRequired: true },
  { heading: 'Phone', kind: 'text' },
  { heading: 'Hire Date', kind: 'day', note: 'Empty: today' },
  { heading: 'Role', choices: ['Guard', 'Admin'] },
];
const keep: RowReader = (cells) => ({ record: { ...cells } });

const fileOf = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'a.xlsx');
const read = (bytes: Uint8Array, columns = COLUMNS) => readTable(fileOf(bytes), columns, keep);

const workbook = (...sheets: Partial<WriteSheet>[]) =>
  writeXlsx({ sheets: sheets.map((sheet, at) => ({ name: `Sheet ${at + 1}`, ...sheet })) });

/** Of the only row below the headings. */
async function textOf(value: CellValue, cell: Partial<Cell> = {}) {
  const rows = [['Name'], [value]];
  const { rows: found } = await read(
    await workbook({ rows, cells: new Map([['1,0', { value, ...cell }]]) }),
  );
  const [row] = found;
  return row?.problem ?? row?.cells['Full Name'];
}

describe('cells are read as they look', () => {
  it.each<[string, CellValue, string]>([
    ['a text keeps its zeros', '0770123456', '0770123456'],
    ['a number', 231770123456, '231770123456'],
    ['a sum without the noise of its last digits', 0.1 + 0.2, '0.3'],
    ['a small number', 0.0000001, '0.0000001'],
    ['a negative number', -10.7969, '-10.7969'],
    ['a day', new Date('2026-11-21'), '2026-11-21'],
    ['a leap day', new Date('2028-02-29'), '2028-02-29'],
    ['a day with its time', new Date('2026-11-21T06:30:00Z'), '2026-11-21 06:30'],
    ['yes or no', true, 'TRUE'],
    ['a text like a formula', '=1+1', '=1+1'],
    ['an apostrophe that belongs to the text', "'=1", "'=1"],
    ['letters of XML', '<b> & "c"', '<b> & "c"'],
  ])('%s', async (_name, value, text) => {
    expect(await textOf(value)).toBe(text);
  });

  it('zeros that are only in the format of a number', async () => {
    const style = { numFmt: '0000000000' };
    expect(await textOf(770123456, { style })).toBe('0770123456');
    expect(await textOf(770123456, { style: { numFmt: '0' } })).toBe('770123456');
  });

  it('the result of a formula', async () => {
    const cell = { formula: '1+2', formulaResult: 3, type: 'formula' } as const;
    expect(await textOf(3, cell)).toBe('3');
  });

  it.each<[string, CellValue, Partial<Cell>, RegExp]>([
    ['a number whose last digits are lost', 12_345_678_901_234_500, {}, /shortened 1\.23457E\+16/],
    ['a formula with an error', '#REF!', { type: 'error' }, /has the error #REF!/],
    ['a formula without a result', null, { type: 'formula', formula: '1+1' }, /has no result/],
  ])('%s is a problem of its row', async (_name, value, cell, problem) => {
    expect(await textOf(value, cell)).toMatch(problem);
  });
});

describe('rows and sheets', () => {
  it('empty rows are left out, and the others keep their numbers', async () => {
    const rows = [[null], ['Name', 'Phone'], ['A', '1'], [null, ' '], [], ['B', null]];
    const found = (await read(await workbook({ rows }))).rows;
    expect(found.map(({ number, cells }) => [number, cells['Full Name'], cells.Phone])).toEqual([
      [3, 'A', '1'],
      [6, 'B', ''],
    ]);
  });

  it('the first sheet with the columns is read, and named where there are several', async () => {
    const cover = { name: 'Cover', rows: [['Guards of 2026']] };
    const guards = { name: 'Guards', rows: [['Full Name'], ['A']] };
    const { rows, sheet } = await read(await workbook({ rows: [] }, cover, guards));
    expect([sheet, rows.map(({ cells }) => cells['Full Name'])]).toEqual(['Guards', ['A']]);
    expect((await read(await workbook(guards))).sheet).toBeUndefined();
  });

  it('hidden sheets are not read', async () => {
    const hidden = { name: 'Old', hidden: true, rows: [['Name'], ['Old']] };
    const { rows } = await read(await workbook(hidden, { rows: [['Name'], ['New']] }));
    expect(rows.map(({ cells }) => cells['Full Name'])).toEqual(['New']);
  });

  it.each<[string, CellValue[][], string]>([
    ['no sheet has rows', [], 'The file is empty.'],
    ['the columns are others', [['Phone'], ['1']], 'The file has no column Full Name.'],
    ['there are only headings', [['Name']], 'The file has no rows.'],
  ])('is refused where %s', async (_name, rows, message) => {
    await expect(read(await workbook({ rows }))).rejects.toThrow(message);
  });
});

describe('a template', () => {
  it('has the headings and what belongs below them, and no rows that an import would read', async () => {
    const bytes = await writeTemplate('Guards', COLUMNS);
    const { sheets } = await readXlsx(bytes, { readStyles: true });
    expect(sheets.map(({ name }) => name)).toEqual(['Guards', 'Notes']);
    expect(sheets[0]?.rows[0]).toEqual(COLUMNS.map(({ heading }) => heading));
    expect(sheets[0]?.cells?.get('1,1')?.style?.numFmt).toBe('@');
    expect(sheets[0]?.dataValidations).toMatchObject([
      { range: 'D2:D501', values: ['Guard', 'Admin'] },
    ]);
    expect(sheets[1]?.rows[3]).toEqual([
      'Hire Date',
      'No',
      'A date, such as 2026-11-21. Empty: today',
    ]);
    await expect(read(bytes)).rejects.toThrow('The file has no rows.');
  });

  it('is imported once it is filled in', async () => {
    const { sheets } = await readXlsx(await writeTemplate('Guards', COLUMNS));
    const [guards = [], notes = []] = sheets.map(({ rows }) => rows);
    const rows = guards.with(4, ['Musu Flomo', '0770123456', new Date('2026-11-02'), null]);
    const filled = await workbook({ rows }, { rows: notes });
    expect((await read(filled)).rows).toMatchObject([
      { number: 5, cells: { 'Full Name': 'Musu Flomo', 'Hire Date': '2026-11-02', Role: '' } },
    ]);
  });
});

type Line = { name: string; pay: string | null; day: string; at: string; hours: number };
const LINES: TableColumn<Line>[] = [
  { heading: 'Name', value: (line) => line.name },
  { heading: 'Pay', kind: 'amount', value: (line) => line.pay },
  { heading: 'Day', kind: 'day', value: (line) => line.day },
  { heading: 'At', kind: 'time', value: (line) => line.at },
  { heading: 'Hours', value: (line) => line.hours },
];
const LINE: Line = {
  name: '=cmd()',
  pay: '1,250.50',
  day: '2026-11-21',
  at: '2026-11-21 18:00',
  hours: 7.5,
};

describe('an export', () => {
  const sheetOf = async (...lines: Line[]) => {
    const bytes = await writeWorkbook('lines', LINES, lines);
    const { sheets } = await readXlsx(bytes, { readStyles: true });
    const [sheet] = sheets;
    if (sheet === undefined) throw new Error('The workbook has no sheet.');
    return sheet;
  };

  it('has numbers, dates and amounts with two decimals', async () => {
    const { rows, cells } = await sheetOf(LINE);
    expect(rows[1]).toEqual([
      '=cmd()',
      1250.5,
      new Date('2026-11-21'),
      new Date('2026-11-21T18:00:00Z'),
      7.5,
    ]);
    expect([1, 2, 3].map((at) => cells?.get(`1,${at}`)?.style?.numFmt)).toEqual([
      '#,##0.00',
      'yyyy-mm-dd',
      'yyyy-mm-dd hh:mm',
    ]);
  });

  it.each(['=1+1', '+231', '-x', '@a', '\t=1'])('%j is a text, not a formula', async (name) => {
    const { rows, cells } = await sheetOf({ ...LINE, name });
    expect(rows[1]?.[0]).toBe(name);
    expect(cells?.get('1,0')?.formula).toBeUndefined();
  });

  it('shows instants in the zone of the company', async () => {
    const { rows } = await sheetOf({ ...LINE, at: '2026-11-21T18:00:30.123456+01:00' });
    expect(rows[1]?.[3]).toEqual(new Date('2026-11-21T17:00:00Z'));
  });

  it('keeps what is no amount, day or time as text', async () => {
    const { rows } = await sheetOf({ ...LINE, pay: '-', day: 'open', at: '', name: '_x0041_' });
    expect(rows[1]?.slice(0, 4)).toEqual(['_x0041_', '-', 'open', '']);
  });

  it('cuts what is too long for a cell', async () => {
    const { rows } = await sheetOf({ ...LINE, name: 'x'.repeat(40_000) });
    expect(rows[1]?.[0]).toBe(`${'x'.repeat(32_766)}…`);
  });

  it('is read again with the same cells as the CSV', async () => {
    const columns = LINES.map(({ heading }) => ({ heading }));
    const lines = [LINE, { ...LINE, name: "'=1", pay: null }, { ...LINE, pay: '-3.50' }];
    const cellsOf = async (file: File) =>
      (await readTable(file, columns, keep)).rows.map(({ cells }) => cells);
    const csv = await cellsOf(new File([await writeCsv(LINES, lines)], 'a.csv'));
    expect(await cellsOf(fileOf(await writeWorkbook('lines', LINES, lines)))).toEqual(
      csv.map((row) => ({ ...row, Pay: String(Number(row.Pay?.replace(',', '')) || '') })),
    );
  });
});
