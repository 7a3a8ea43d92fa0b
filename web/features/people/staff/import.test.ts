import { expect, test } from 'vitest';
import { writtenFile } from '#tests/support/written-file.ts';
import { readTable } from '#web/lib/files/read-table.ts';
import { writeCsv } from '#web/lib/files/write-table.ts';
import { EXPORT_COLUMNS, type ExportedStaff, IMPORT_COLUMNS, readStaff } from './import.ts';

const person: ExportedStaff = {
  full_name: 'José "Zoe" Peña, Jr.',
  email: null,
  phone: '+231770123456',
  role: 'guard',
  hire_date: '2024-02-29',
  salary_amount: 12_345.5,
  payment_frequency: 'bi-weekly',
  status: 'inactive',
  currency: 'LRD',
  pay_basis: 'hourly',
  tax_resident: false,
  tin: '500012345',
  nasscorp_number: '014500217',
};
const people: ExportedStaff[] = [
  person,
  { ...person, full_name: '=Sum', email: 'x@example.com', phone: null, role: 'admin', tin: null },
  { ...person, status: 'active', currency: 'USD', pay_basis: 'salary', tax_resident: true },
];
const COLUMNS = [
  'full_name',
  'email',
  'phone',
  'role',
  'hire_date',
  'salary_amount',
  'payment_frequency',
  'status',
  'currency',
  'pay_basis',
  'tax_resident',
  'tin',
  'nasscorp_number',
] as const;

const read = async (text: string) =>
  (await readTable(new File([text], 'staff.csv'), IMPORT_COLUMNS, readStaff)).rows;

test.each(['csv', 'xlsx'] as const)(
  'an export of the list as %s is imported again unchanged',
  async (format) => {
    const file = await writtenFile(format, EXPORT_COLUMNS, people);
    const { rows } = await readTable(file, IMPORT_COLUMNS, readStaff);
    expect(rows.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined]);
    const columns = (row: Record<string, unknown> = {}) => COLUMNS.map((name) => row[name]);
    expect(rows.map(({ record }) => columns(record))).toEqual(people.map(columns));
  },
);

test('a name and a salary are enough', async () => {
  expect(await read('Name;Salary\nHawa;1,250.00')).toMatchObject([
    {
      number: 2,
      record: {
        full_name: 'Hawa',
        salary_amount: 1250,
        role: 'guard',
        status: 'active',
        currency: 'USD',
      },
    },
  ]);
});

test.each([
  ['Salary', '450,00', 'Salary must be an amount such as 1,250.00'],
  ['Hire Date', '2026-02-30', 'Hire date must be like 2026-11-21'],
  ['Hire Date', '21.11.2026', 'Hire date must be like 2026-11-21'],
  ['Status', 'gone', 'Status can\'t be "gone"'],
  ['Currency', 'EUR', 'Currency can\'t be "EUR"'],
])('%s %j is refused in the preview', async (heading, cell, problem) => {
  const cells = { Name: 'Hawa', Salary: '1', [heading]: cell };
  const text = await writeCsv(
    Object.keys(cells).map((each) => ({
      heading: each,
      value: (row: Record<string, string>) => row[each],
    })),
    [cells],
  );
  expect(await read(text)).toMatchObject([{ number: 2, problem }]);
});
