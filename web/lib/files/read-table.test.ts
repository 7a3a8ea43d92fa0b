import { describe, expect, it } from 'vitest';
import { type RowReader, readTable } from './read-table.ts';

const COLUMNS = [
  { heading: 'Name', isRequired: true },
  { heading: 'Amount', also: ['Sum'], isRequired: true },
  { heading: 'Note' },
];
const keep: RowReader = (cells) =>
  cells.Name === 'Bad' ? { problem: 'Bad' } : { record: { ...cells } };

type Content = string | Uint8Array<ArrayBuffer>;
const file = (content: Content) => new File([content], 'a.csv');
const read = (content: Content) => readTable(file(content), COLUMNS, keep);
const rowsOf = async (content: Content) =>
  (await read(content)).rows.map(({ number, cells, problem }) => problem ?? [number, cells.Name]);

const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return bytes;
};
const TEXT = 'Name,Amount\nJosé Peña,1\n';
const ansi = (text: string) => Uint8Array.from([...text].map((each) => each.charCodeAt(0)));

describe('the encoding', () => {
  it.each<[string, Content]>([
    ['UTF-8', TEXT],
    ['UTF-8 with its mark', `\uFEFF${TEXT}`],
    ['UTF-16, little endian', utf16(`\uFEFF${TEXT}`, true)],
    ['UTF-16, big endian', utf16(`\uFEFF${TEXT}`, false)],
    ['UTF-16 without its mark', utf16(TEXT, true)],
    ['UTF-16, big endian, without its mark', utf16(TEXT, false)],
    ['Windows-1252', ansi(TEXT)],
  ])('%s is read', async (_name, content) => {
    expect(await rowsOf(content)).toEqual([[2, 'José Peña']]);
  });

  it.each<[string, Content, RegExp]>([
    ['another archive', ansi('PK\x03\x04\x14\x00\x06\x00'), /\.xlsx.*without a password/],
    [
      'an old or protected workbook',
      ansi('\xD0\xCF\x11\xE0\xA1\xB1'),
      /\.xlsx.*without a password/,
    ],
    ['a program', ansi('MZ\x00\x01\x02,\x00'), /not a CSV file/],
    ['two encodings', ansi('Name,Amount\nJos\xC3\xA9 Pe\xF1a,1\n'), /encodings/],
    ['an unknown encoding', ansi('Name,Amount\nJos\x81 Pe\xF1a,1\n'), /encoding/],
  ])('%s is refused with a sentence', async (_name, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  it('that was lost before is a problem of its row', async () => {
    expect(await rowsOf('Name,Amount\nJos\uFFFD,1')).toEqual([expect.stringMatching(/lost/)]);
  });
});

describe('the delimiter', () => {
  it.each([
    ['commas', 'Name,Amount\nA;B,"1,5"'],
    ['semicolons', 'Name;Amount\n"A;B";"1,5"'],
    ['tabs', 'Name\tAmount\nA;B\t1,5'],
    ['a line that names it', 'sep=;\r\nName;Amount\r\n"A;B";"1,5"'],
  ])('can be %s', async (_name, text) => {
    const { rows } = await read(text);
    expect(rows).toMatchObject([{ number: 2, cells: { Name: 'A;B', Amount: '1,5' } }]);
  });
});

describe('rows', () => {
  it('have the numbers that a spreadsheet shows, with blank lines and cells of several lines', async () => {
    const text = 'Name,Amount\r\n\r\nA,1\r\n  \r\n,\r\n"B\r\nB",2\nC,3\rD,4';
    expect(await rowsOf(text)).toEqual([
      [3, 'A'],
      [6, 'B\r\nB'],
      [7, 'C'],
      [8, 'D'],
    ]);
  });

  it.each([
    ['Name,Amount\nA,1\n"B,2\nC,3', /line 3.*never closed/],
    ['Name,Amount\nA,1\n"B"x,2\nC,3', /line 3/],
    ['Name,"Amount\nA,1', /line 1.*never closed/],
  ])('%j is refused with its line', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('have as many cells as headings; further ones may be empty', async () => {
    expect(await rowsOf('Name,Amount,Note\nA,1\nB,2,x,y\nC,3,x,,\nD,4,')).toEqual([
      'This row has 2 cells, and the headings have 3',
      'This row has 4 cells, and the headings have 3',
      [4, 'C'],
      [5, 'D'],
    ]);
  });

  it('keep quotes inside a cell', async () => {
    expect(await rowsOf('Name,Amount\n"A ""B"" C",1\nA 5" pipe,1')).toEqual([
      [2, 'A "B" C'],
      [3, 'A 5" pipe'],
    ]);
  });

  it('say what a spreadsheet has shortened', async () => {
    expect(await rowsOf('Name,Amount\n2.31779E+11,1\nBlock 1E5,1')).toEqual([
      expect.stringMatching(/2\.31779E\+11.*format the column as text/i),
      [3, 'Block 1E5'],
    ]);
  });

  it('lose the mark that our own export puts before formulas, and no other', async () => {
    const text = "Name,Amount\n'+231770123456,1\n'=A1,1\n''=A1,1\n'-5,1\n'Ndiaye,1";
    expect(await rowsOf(text)).toEqual([
      [2, '+231770123456'],
      [3, '=A1'],
      [4, "'=A1"],
      [5, "'-5"],
      [6, "'Ndiaye"],
    ]);
  });
});

describe('headings', () => {
  it('come in any order and case; optional ones may be missing, and what is not read is named', async () => {
    const { columns, ignored, rows } = await read(' AMOUNT ,Rate,name\n1,2,A');
    expect([columns, ignored]).toEqual([['Name', 'Amount'], ['Rate']]);
    expect(rows).toEqual([
      { number: 2, cells: { Name: 'A', Amount: '1', Note: '' }, record: expect.anything() },
    ]);
  });

  it('may be another name of the column, and then only that', async () => {
    expect((await read('Sum,Name\n5,A')).rows).toMatchObject([
      { cells: { Name: 'A', Amount: '5' } },
    ]);
    await expect(read('Sum,Name,Amount\n5,A,6')).rejects.toThrow('the column Amount twice');
  });

  it.each([
    ['', 'The file is empty.'],
    [' \n\n', 'The file is empty.'],
    ['Name,Amount\n', 'The file has no rows.'],
    ['Name,Note\nA,1', 'The file has no column Amount.'],
    ['A;1', 'The file has no column Name, Amount.'],
    ['Name,Amount,name\nA,1,B', 'The file has the column Name twice.'],
  ])('%j is refused', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

describe('the size', () => {
  const rows = (count: number, name = 'A') => `Name,Amount\n${`${name},1\n`.repeat(count)}`;

  it('is at most what one import takes', async () => {
    expect((await read(rows(5000))).rows).toHaveLength(5000);
    await expect(read(rows(5001))).rejects.toThrow('An import has at most 5,000 rows.');
    await expect(readTable(file(rows(201)), COLUMNS, keep, 200)).rejects.toThrow(
      'at most 200 rows',
    );
    await expect(read(rows(5000, 'é'.repeat(500)))).rejects.toThrow(/rows are larger than .* MB/);
    const large = `Name,Amount\n${' '.repeat(10 * 1024 * 1024)}`;
    await expect(read(large)).rejects.toThrow('The file is larger than 10 MB.');
  });
});
