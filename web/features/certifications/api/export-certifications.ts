// The certifications that the search and the filters leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { VALIDITY_LABELS } from '../labels.ts';
import { type CertificationRow, dayOf } from '../schema.ts';
import { type CertificationFilters, certificationsQuery } from './list-certifications.ts';

const COLUMNS: CsvColumn<CertificationRow>[] = [
  { heading: 'Person', value: (row) => row.profiles.full_name },
  { heading: 'Email', value: (row) => row.profiles.email },
  { heading: 'Course', value: (row) => row.training_courses.title },
  { heading: 'Certificate Number', value: (row) => row.certificate_number },
  { heading: 'Issued', value: (row) => row.issued_at && dayOf(row.issued_at) },
  { heading: 'Expires', value: (row) => dayOf(row.expires_at) },
  { heading: 'State', value: (row) => VALIDITY_LABELS[row.validity] },
];

export async function exportCertifications(filters: CertificationFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await certificationsQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('certifications', COLUMNS, rows);
}
