// The clients that the search leaves, as a CSV file.
import { formatCents } from '#shared/money.ts';
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { PAYMENT_LABELS } from '../labels.ts';
import { ratePerGuard } from '../rate.ts';
import type { Client, ClientSearch } from '../schema.ts';
import { clientsQuery } from './list-clients.ts';

const COLUMNS: CsvColumn<Client>[] = [
  { heading: 'Name', value: (row) => row.name },
  { heading: 'Number of Guards', value: (row) => row.number_of_guards },
  { heading: 'Monthly Rate', value: (row) => row.monthly_rate.toFixed(2) },
  {
    heading: 'Rate per Guard',
    value: (row) => formatCents(ratePerGuard(row.monthly_rate, row.number_of_guards)),
  },
  { heading: 'Location', value: (row) => row.location },
  { heading: 'Payment Method', value: (row) => PAYMENT_LABELS[row.payment_method] },
];

export async function exportClients(filters: Pick<ClientSearch, 'q' | 'sort'>): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await clientsQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('clients', COLUMNS, rows);
}
