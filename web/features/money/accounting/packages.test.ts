// The files are read as the packages describe their imports; each reader here is written from that description.
import { describe, expect, test } from 'vitest';
import { readCsvRows } from '#web/lib/files/csv-rows.ts';
import { type Package, writeForPackage } from './packages.ts';
import type { JournalLine } from './rules.ts';

const line = (
  document: string,
  account: string,
  cents: number,
  more: Partial<JournalLine> = {},
): JournalLine => ({
  day: '2026-10-05',
  kind: 'entry',
  document,
  account_code: account,
  account_name: `Account ${account}`,
  debit: (Math.max(cents, 0) / 100).toFixed(2),
  credit: (Math.max(-cents, 0) / 100).toFixed(2),
  currency: 'USD',
  text: 'Harbour Inn, "Ltd"',
  ...more,
});

const LINES = [
  line('INV-2026-0001', '1100', 11_800),
  line('INV-2026-0001', '4000', -10_000),
  line('INV-2026-0001', '2120', -1_800),
  line('EXP 1', '5100', 450, { day: '2026-10-31', text: 'Fuel,\nand oil' }),
  line('EXP 1', '1000', -450, { day: '2026-10-31', text: 'Fuel,\nand oil' }),
  line('ENT 1', '1000', 999, { currency: 'LRD' }),
  line('ENT 1', '3000', -999, { currency: 'LRD' }),
];

const write = (target: Package, lines = LINES) => writeForPackage(target, lines, 'USD', 'journal');
const only = (target: Package) => {
  const [file] = write(target);
  if (!file) throw new Error('There is no file.');
  return file;
};

type Read = { date: string; account: string; cents: number };

/** Intuit, "IIF reference: transactions": keywords in the first column, headings after those with "!", tabs between cells. */
function readIif(text: string): Read[][] {
  const rows = text
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split('\t'));
  const [trns = [], spl = [], end = []] = rows;
  expect([trns[0], spl[0], end[0]]).toEqual(['!TRNS', '!SPL', '!ENDTRNS']);
  const found: Read[][] = [];
  let open: Read[] | undefined;
  for (const row of rows.slice(3)) {
    const cell = (heading: string) => row[trns.indexOf(heading)] ?? '';
    if (row[0] === 'ENDTRNS') {
      expect(open?.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
      open = undefined;
      continue;
    }
    expect(row[0]).toBe(open ? 'SPL' : 'TRNS');
    expect(cell('TRNSTYPE')).toBe('GENERAL JOURNAL');
    expect(cell('DATE')).toMatch(/^\d\d\/\d\d\/\d{4}$/);
    expect(cell('AMOUNT')).toMatch(/^-?\d+\.\d\d$/);
    if (!open) {
      open = [];
      found.push(open);
    }
    open.push({
      date: cell('DATE'),
      account: cell('ACCNT'),
      cents: Math.round(Number(cell('AMOUNT')) * 100),
    });
  }
  expect(open).toBeUndefined();
  return found;
}

/** help.xero.com/int/ManualJournalsImport: rows of one narration and date are a journal, debits are positive, dd/mm/yyyy. */
function readXero(text: string): Map<string, Read[]> {
  const [heads, ...rows] = readCsvRows(text, ',').map(({ cells }) => cells);
  const at = (heading: string) => heads?.indexOf(heading) ?? -1;
  for (const heading of ['*Narration', '*Date', '*AccountCode', '*TaxRate', '*Amount'])
    expect(at(heading)).not.toBe(-1);
  expect(rows.length).toBeLessThanOrEqual(300);
  const journals = new Map<string, Read[]>();
  for (const row of rows) {
    const cell = (heading: string) => row[at(heading)] ?? '';
    for (const heading of ['*Narration', '*Date', '*AccountCode', '*TaxRate', '*Amount'])
      expect(cell(heading)).not.toBe('');
    expect(cell('*Date')).toMatch(/^\d\d\/\d\d\/\d{4}$/);
    const key = `${cell('*Narration')} ${cell('*Date')}`;
    const read = {
      date: cell('*Date'),
      account: cell('*AccountCode'),
      cents: Math.round(Number(cell('*Amount')) * 100),
    };
    journals.set(key, [...(journals.get(key) ?? []), read]);
  }
  for (const lines of journals.values())
    expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
  return journals;
}

/** Sage 50, audit trail transactions: JD and JC with a net amount above zero, ten columns in this order, dd/mm/yyyy. */
function readSage(text: string): Read[] {
  const [heads, ...rows] = readCsvRows(text, ',').map(({ cells }) => cells);
  expect(heads?.slice(0, 10)).toEqual([
    'Type',
    'Account Reference',
    'Nominal A/C Ref',
    'Department Code',
    'Date',
    'Reference',
    'Details',
    'Net Amount',
    'Tax Code',
    'Tax Amount',
  ]);
  return rows.map(([type, , account = '', , date = '', reference = '', details = '', net, tax]) => {
    expect(type).toMatch(/^J[DC]$/);
    expect(date).toMatch(/^\d\d\/\d\d\/\d{4}$/);
    expect(reference.length).toBeLessThanOrEqual(30);
    expect(details.length).toBeLessThanOrEqual(60);
    expect(Number(net)).toBeGreaterThan(0);
    expect(tax).toBe('T9');
    return { date, account, cents: Math.round(Number(net) * 100) * (type === 'JD' ? 1 : -1) };
  });
}

describe('a journal in US dollars', () => {
  test('is what QuickBooks reads', () => {
    const { name, text } = only('quickbooks');
    expect(name).toBe('journal-USD-quickbooks.iif');
    expect(readIif(text)).toEqual([
      [
        { date: '10/05/2026', account: 'Account 1100', cents: 11_800 },
        { date: '10/05/2026', account: 'Account 4000', cents: -10_000 },
        { date: '10/05/2026', account: 'Account 2120', cents: -1_800 },
      ],
      [
        { date: '10/31/2026', account: 'Account 5100', cents: 450 },
        { date: '10/31/2026', account: 'Account 1000', cents: -450 },
      ],
    ]);
  });

  test('is what Xero reads', () => {
    const journals = readXero(only('xero').text);
    expect([...journals.keys()]).toEqual([
      'INV-2026-0001 Harbour Inn, "Ltd" 05/10/2026',
      'EXP 1 Fuel, and oil 31/10/2026',
    ]);
    expect([...journals.values()].flat().map(({ cents }) => cents)).toEqual([
      11_800, -10_000, -1_800, 450, -450,
    ]);
  });

  test('is what Sage reads', () => {
    const lines = readSage(only('sage').text);
    expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
    expect(lines[0]).toEqual({ date: '05/10/2026', account: '1100', cents: 11_800 });
  });

  test('comes in several files where Xero takes 300 lines, with whole documents', () => {
    const many = Array.from({ length: 200 }, (_, index) => [
      line(`ENT ${index}`, '1000', 100),
      line(`ENT ${index}`, '3000', -100),
    ]).flat();
    const files = write('xero', many);
    expect(files.map(({ name }) => name)).toEqual([
      'journal-USD-xero-1.csv',
      'journal-USD-xero-2.csv',
    ]);
    expect(files.map(({ text }) => readXero(text).size)).toEqual([150, 50]);
  });

  test('without documents has no file', () => {
    expect(write('sage', LINES.slice(5))).toEqual([]);
  });
});
