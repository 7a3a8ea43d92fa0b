import { expect, it, test } from 'vitest';
import { CLIENTS_PAYMENT_METHOD } from '#shared/database.values.ts';
import { formatCents } from '#shared/money.ts';
import { writtenFile } from '#tests/support/written-file.ts';
import { readTable } from '#web/lib/files/read-table.ts';
import { EXPORT_COLUMNS, IMPORT_COLUMNS, ratePerGuard, readClient } from './schema.ts';

it.each([
  [1000, 4, '250.00'],
  [1000, 3, '333.33'],
  [2000, 3, '666.67'],
  [0.05, 2, '0.03'],
  [1.01, 2, '0.51'],
  [999999999999.99, 1, '999,999,999,999.99'],
  [5000, 0, '0.00'],
  [0, 12, '0.00'],
])('%d a month for %d guards is %s each', (rate, guards, expected) => {
  expect(formatCents(ratePerGuard(rate, guards))).toBe(expected);
});

test.each(['csv', 'xlsx'] as const)(
  'what the list of clients exports as %s is imported again unchanged',
  async (format) => {
    const clients = CLIENTS_PAYMENT_METHOD.map((payment_method, at) => ({
      id: String(at),
      name: `-Bank, "${at}"`,
      number_of_guards: 1200 * at,
      monthly_rate: 1250.5 * at,
      location: 'Harper\nMain Street',
      payment_method,
      created_by: null,
      created_at: '',
      updated_at: '',
      report_email: null,
      tin: null,
    }));
    const file = await writtenFile(format, EXPORT_COLUMNS, clients);
    const { rows, ignored } = await readTable(file, IMPORT_COLUMNS, readClient);
    expect(ignored).toEqual(['Rate per Guard']);
    expect(rows.map(({ record }) => record)).toEqual(
      clients.map(({ name, number_of_guards, monthly_rate, location, payment_method }) => ({
        name,
        number_of_guards,
        monthly_rate,
        location,
        payment_method,
      })),
    );
  },
);
