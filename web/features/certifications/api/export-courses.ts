// The courses with how many certificates of each there are, as a CSV file.
import { type CsvColumn, downloadCsv } from '#web/lib/files/csv.ts';
import type { Course } from '../schema.ts';
import { listCourses } from './list-courses.ts';
import { type CourseTotals, listTotals } from './list-totals.ts';

type Row = Course & { totals: CourseTotals | undefined };

const COLUMNS: CsvColumn<Row>[] = [
  { heading: 'Course', value: (row) => row.title },
  { heading: 'Description', value: (row) => row.description },
  { heading: 'Valid For (Months)', value: (row) => row.validity_months },
  { heading: 'Valid', value: (row) => row.totals?.valid ?? 0 },
  { heading: 'Expiring', value: (row) => row.totals?.expiring ?? 0 },
  { heading: 'Expired', value: (row) => row.totals?.expired ?? 0 },
];

export async function exportCourses(): Promise<void> {
  const [courses, totals] = await Promise.all([listCourses(), listTotals()]);
  const rows = courses.map((course) => ({
    ...course,
    totals: totals.find(({ course_id }) => course_id === course.id),
  }));
  await downloadCsv('courses', COLUMNS, rows);
}
