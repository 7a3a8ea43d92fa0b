// The enquiries that the search and the filter leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { type Enquiry, STATE_LABELS } from '../schema.ts';
import { type EnquiryFilters, enquiriesQuery } from './list-enquiries.ts';

const COLUMNS: CsvColumn<Enquiry>[] = [
  { heading: 'Received', value: (row) => row.created_at },
  { heading: 'Name', value: (row) => row.name },
  { heading: 'Email', value: (row) => row.email },
  { heading: 'Company', value: (row) => row.company },
  { heading: 'Message', value: (row) => row.message },
  { heading: 'State', value: (row) => STATE_LABELS[row.state] },
  { heading: 'Internal Note', value: (row) => row.note },
];

export async function exportEnquiries(filters: EnquiryFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await enquiriesQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('enquiries', COLUMNS, rows);
}
