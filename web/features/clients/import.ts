// Clients from a CSV file: its columns, and the rules of the form for each row.
import type { RowReader } from '#web/lib/files/read-csv.ts';
import { clientSchema, emptyForm, rowOf } from './schema.ts';

export const IMPORT_COLUMNS = [
  'Name',
  'Number of Guards',
  'Monthly Rate',
  'Location',
  'Payment Method',
] as const;

/** An empty payment method takes the default of the form. */
export const readClient: RowReader = (texts) => {
  const result = clientSchema.safeParse({
    name: texts.Name,
    number_of_guards: texts['Number of Guards'],
    monthly_rate: texts['Monthly Rate']?.replace(/^\$/, ''),
    location: texts.Location,
    payment_method:
      texts['Payment Method']?.toLowerCase().replaceAll(/\s+/g, '-') || emptyForm.payment_method,
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid input' };
  return { record: rowOf(result.data) };
};
