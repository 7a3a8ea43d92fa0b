import { STAFF_PAYMENT_FREQUENCY, USER_ROLES_ROLE } from '#shared/database.values.ts';
import { readChoice } from '#web/lib/files/choice-of.ts';
import type { ImportColumn, RowReader } from '#web/lib/files/read-table.ts';
import { isDay } from '#web/lib/format/is-day.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { type CertificateForm, emptyHire, type HireForm, hireSchema } from './hire-schema.ts';

/** As on the form. */
export const HIRE_COLUMNS: readonly ImportColumn[] = [
  { heading: 'Full Name', also: ['Name'], isRequired: true },
  {
    heading: 'Phone',
    isRequired: true,
    kind: 'text',
    note: 'They sign in with it, for example 0770 123 456',
  },
  { heading: 'Email', note: 'Not needed with a phone' },
  { heading: 'Home Area' },
  {
    heading: 'Role',
    choices: USER_ROLES_ROLE.map((role) => ROLE_LABELS[role]),
    note: `Empty: ${ROLE_LABELS.guard}`,
  },
  { heading: 'Hire Date', kind: 'day', note: 'Empty: today' },
  { heading: 'Salary (USD)', also: ['Salary'], isRequired: true, kind: 'amount' },
  {
    heading: 'Payment Frequency',
    also: ['Frequency'],
    choices: STAFF_PAYMENT_FREQUENCY.map((frequency) => PAY_FREQUENCY_LABELS[frequency]),
    note: 'Empty: as on the form',
  },
  {
    heading: 'Certificates',
    note: 'Course and last day, such as: Unarmed Guard until 2028-01-31; First Aid until 2027-06-30',
  },
];

/** Limit of hire_people. */
export const MOST_HIRED = 200;

type Course = { id: string; title: string };

const CERTIFICATE = /^(.+?)\s+until\s+(\d{4}-\d{2}-\d{2})$/i;

/** @param text "Unarmed Guard until 2028-01-31; First Aid until 2027-06-30" @throws with the part that can't be read */
export function readCertificates(text: string, courses: readonly Course[]): CertificateForm[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, title = '', expires = ''] = CERTIFICATE.exec(part) ?? [];
      const course = courses.find((one) => one.title.toLowerCase() === title.toLowerCase());
      if (title === '') throw new Error(`"${part}" is not like: Course until 2028-01-31`);
      if (course === undefined) throw new Error(`There is no course "${title}"`);
      if (!isDay(expires)) throw new Error(`"${expires}" is not a day`);
      return { course_id: course.id, certificate_number: '', issued: '', expires };
    });
}

type Read = { form: HireForm } | { problem: string };

/** Validates a row like the form; an empty role, date or frequency gets the form's default. */
export function readHire(cells: Record<string, string>, courses: readonly Course[]): Read {
  const defaults = emptyHire(undefined, true);
  const cell = (name: string) => cells[name] ?? '';
  const role = readChoice(ROLE_LABELS, USER_ROLES_ROLE, cell('Role') || defaults.role);
  if (role === undefined) return { problem: `There is no role "${cell('Role')}"` };
  let certificates: CertificateForm[];
  try {
    certificates = readCertificates(cell('Certificates'), courses);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'Invalid certificates' };
  }
  const result = hireSchema.safeParse({
    ...defaults,
    full_name: cell('Full Name'),
    phone: cell('Phone'),
    email: cell('Email'),
    home_area: cell('Home Area'),
    role,
    hire_date: cell('Hire Date') || defaults.hire_date,
    salary_amount: cell('Salary (USD)').replace(/^\$/, ''),
    payment_frequency: readChoice(
      PAY_FREQUENCY_LABELS,
      STAFF_PAYMENT_FREQUENCY,
      cell('Payment Frequency') || defaults.payment_frequency,
    ),
    certificates,
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid input' };
  if (!isDay(result.data.hire_date)) return { problem: 'Hire date must be like 2026-11-21' };
  return { form: result.data };
}

/** The preview keeps cells only; the forms are read from them again when the import is confirmed. */
export const hireReader =
  (courses: readonly Course[]): RowReader =>
  (cells) => {
    const read = readHire(cells, courses);
    return 'problem' in read ? read : { record: cells };
  };

/** @throws for a row with a problem, which the preview does not let through */
export function toForms(rows: Record<string, unknown>[], courses: readonly Course[]): HireForm[] {
  return rows.map((row) => {
    const cells = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, String(value ?? '')]),
    );
    const read = readHire(cells, courses);
    if ('problem' in read) throw new Error(read.problem);
    return read.form;
  });
}
