import { useQuery } from '@tanstack/react-query';
import { certificationsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { recordHooks, withoutAuthor } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import {
  type CertificationRow,
  type Course,
  certificationSchema,
  courseSchema,
  dayOf,
  toCertificationColumns,
  toCertificationForm,
  toCourseColumns,
  toCourseForm,
} from './schema.ts';
import type { CertificationSearch } from './search.ts';

const SELECTED = '*, validity, profiles!inner(full_name, email), training_courses!inner(title)';

export const certifications = recordHooks({
  table: 'certifications',
  key: certificationsKey,
  name: 'certification',
  columns: SELECTED,
  schema: certificationSchema,
  toForm: toCertificationForm,
  toColumns: toCertificationColumns,
  toNewRow: withoutAuthor,
});

export const courses = recordHooks({
  table: 'training_courses',
  key: certificationsKey,
  name: 'course',
  schema: courseSchema,
  toForm: toCourseForm,
  toColumns: toCourseColumns,
  toNewRow: withoutAuthor,
  duplicate: 'A course with this title already exists.',
});

export type CertificationFilters = Pick<
  CertificationSearch,
  'q' | 'state' | 'course' | 'person' | 'sort'
>;

const SORTS = {
  person: 'profiles(full_name)',
  course: 'training_courses(title)',
  issued: 'issued_at',
  expires: 'expires_at',
};

/** Certifications that match the search and filters; by default the first to expire comes first. */
function certificationsQuery({ q = '', state, course, person, sort }: CertificationFilters) {
  let query = supabase().from('certifications').select(SELECTED, { count: 'exact' });
  // `validity` is a computed column, which the generated row type does not contain.
  if (state) query = query.filter('validity', 'eq', state);
  if (course) query = query.eq('course_id', course);
  if (person) query = query.eq('user_id', person);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('profiles.search_text', patterns);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'expires_at', ascending: true });
  return query.order(column, { ascending }).order('id').returns<CertificationRow[]>();
}

const CERTIFICATION_COLUMNS: TableColumn<CertificationRow>[] = [
  { heading: 'Person', value: (row) => row.profiles.full_name },
  { heading: 'Email', value: (row) => row.profiles.email },
  { heading: 'Course', value: (row) => row.training_courses.title },
  { heading: 'Certificate Number', value: (row) => row.certificate_number },
  { heading: 'Issued', kind: 'day', value: (row) => row.issued_at && dayOf(row.issued_at) },
  { heading: 'Expires', kind: 'day', value: (row) => dayOf(row.expires_at) },
  { heading: 'State', value: (row) => STATUS_LABELS[row.validity] },
];

export const certificationList = listQueries('certifications', {
  key: certificationsKey,
  tables: 'certifications',
  filters: ['q', 'state', 'course', 'person', 'sort'],
  rows: certificationsQuery,
  columns: CERTIFICATION_COLUMNS,
});

async function fetchCourses(): Promise<Course[]> {
  const { data } = await supabase()
    .from('training_courses')
    .select()
    .order('title')
    .order('id')
    .throwOnError();
  return data;
}

export const useCourses = () =>
  useLiveQuery('training_courses', certificationsKey, {
    queryKey: [...certificationsKey, 'courses'],
    queryFn: fetchCourses,
  });

async function fetchTotals() {
  const { data } = await supabase().rpc('certification_totals').throwOnError();
  return data;
}

/** Certifications of one course by validity. Courses without certifications have no entry. */
type CourseTotals = Awaited<ReturnType<typeof fetchTotals>>[number];

export const useTotals = () =>
  useQuery({ queryKey: [...certificationsKey, 'totals'], queryFn: fetchTotals });

export type CourseRow = Course & { totals: CourseTotals | undefined };

export const withTotals = (rows: Course[], totals: CourseTotals[] = []): CourseRow[] =>
  rows.map((course) => ({
    ...course,
    totals: totals.find(({ course_id }) => course_id === course.id),
  }));

const COURSE_COLUMNS: TableColumn<CourseRow>[] = [
  { heading: 'Course', value: (row) => row.title },
  { heading: 'Description', value: (row) => row.description },
  { heading: 'Valid For (Months)', value: (row) => row.validity_months },
  { heading: 'Valid', value: (row) => row.totals?.valid ?? 0 },
  { heading: 'Expiring', value: (row) => row.totals?.expiring ?? 0 },
  { heading: 'Expired', value: (row) => row.totals?.expired ?? 0 },
];

export async function exportCourses(format: TableFormat): Promise<void> {
  const [rows, totals] = await Promise.all([fetchCourses(), fetchTotals()]);
  await downloadTable(format, 'courses', COURSE_COLUMNS, withTotals(rows, totals));
}
