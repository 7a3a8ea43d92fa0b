import type { RowReader } from '#web/lib/files/read-csv.ts';
import { formOf, rowOf, staffSchema } from './schema.ts';

export const IMPORT_COLUMNS = [
  'Name',
  'Email',
  'Phone',
  'Role',
  'Hire Date',
  'Salary',
  'Frequency',
] as const;

/** Validates a row like the form. Dates are yyyy-MM-dd; an empty role, date or frequency gets the form's default. */
export const readStaff: RowReader = (cells) => {
  const defaults = formOf();
  const result = staffSchema.safeParse({
    ...defaults,
    full_name: cells.Name,
    email: cells.Email,
    phone: cells.Phone,
    role: cells.Role?.toLowerCase() || defaults.role,
    hire_date: cells['Hire Date'] || defaults.hire_date,
    salary_amount: cells.Salary?.replace(/^\$/, ''),
    payment_frequency: cells.Frequency?.toLowerCase() || defaults.payment_frequency,
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid input' };
  if (!/^\d{4}-\d{2}-\d{2}$/.test(result.data.hire_date)) {
    return { problem: 'Hire date must be like 2026-11-21' };
  }
  return { record: rowOf(result.data) };
};
