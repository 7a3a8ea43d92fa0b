// Staff from a CSV file: its columns, and the rules of the form for each row.
import type { RowReader } from '#web/lib/files/csv.ts';
import { emptyForm, rowOf, staffSchema } from './schema.ts';

export const IMPORT_COLUMNS = [
  'Name',
  'Email',
  'Phone',
  'Role',
  'Hire Date',
  'Salary',
  'Frequency',
] as const;

/** Days as yyyy-MM-dd; an empty role, date or frequency takes the default of the form. */
export const readStaff: RowReader = (texts) => {
  const start = emptyForm();
  const result = staffSchema.safeParse({
    ...start,
    full_name: texts.Name,
    email: texts.Email,
    phone: texts.Phone,
    role: texts.Role?.toLowerCase() || start.role,
    hire_date: texts['Hire Date'] || start.hire_date,
    salary_amount: texts.Salary?.replace(/^\$/, ''),
    payment_frequency: texts.Frequency?.toLowerCase() || start.payment_frequency,
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid input' };
  if (!/^\d{4}-\d{2}-\d{2}$/.test(result.data.hire_date)) {
    return { problem: 'Hire date must be like 2026-11-21' };
  }
  return { record: rowOf(result.data) };
};
