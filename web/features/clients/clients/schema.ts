import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { CLIENTS_PAYMENT_METHOD } from '#shared/database.values.ts';
import { formatCents, parseCents } from '#shared/money.ts';
import { readChoice } from '#web/lib/files/choice-of.ts';
import type { ImportColumn, RowReader } from '#web/lib/files/read-table.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { PAYMENT_METHOD_LABELS } from '#web/lib/vocabulary/kinds.ts';

export type Client = Database['public']['Tables']['clients']['Row'];

export const clientSchema = z.object({
  name: textField('Client name', limits.CLIENTS_NAME_MAX).min(1, 'Client name is required'),
  number_of_guards: wholeNumberField({
    name: 'Number of guards',
    required: 'Number of guards is required',
    minimum: limits.CLIENTS_NUMBER_OF_GUARDS_MIN,
    maximum: limits.CLIENTS_NUMBER_OF_GUARDS_MAX,
  }),
  /** USD. */
  monthly_rate: amountField({
    name: 'Monthly rate',
    required: 'Monthly rate is required',
    negative: 'Monthly rate cannot be negative',
  }),
  location: textField('Location', limits.CLIENTS_LOCATION_MAX).min(1, 'Location is required'),
  payment_method: z.enum(CLIENTS_PAYMENT_METHOD),
});

export type ClientForm = z.infer<typeof clientSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: Client): ClientForm {
  return {
    name: row?.name ?? '',
    number_of_guards: row?.number_of_guards.toString() ?? '',
    monthly_rate: amountEntry(row?.monthly_rate),
    location: row?.location ?? '',
    payment_method: row?.payment_method ?? 'monthly',
  };
}

/** @returns the columns to store */
export function toRow(form: ClientForm) {
  return {
    ...form,
    number_of_guards: parseWholeNumber(form.number_of_guards),
    monthly_rate: amountOrNull(form.monthly_rate) ?? 0,
  };
}

/** As on the form, or as the export below has them. */
export const IMPORT_COLUMNS: readonly ImportColumn[] = [
  { heading: 'Client Name', also: ['Name'], isRequired: true },
  { heading: 'Number of Guards', isRequired: true, note: 'A whole number' },
  { heading: 'Monthly Rate (USD)', also: ['Monthly Rate'], isRequired: true, kind: 'amount' },
  { heading: 'Location', isRequired: true },
  {
    heading: 'Payment Method',
    choices: CLIENTS_PAYMENT_METHOD.map((method) => PAYMENT_METHOD_LABELS[method]),
    note: `Empty: ${PAYMENT_METHOD_LABELS.monthly}`,
  },
];

/** Reads a row of an imported file by the rules of the form; an empty payment method means its default. */
export const readClient: RowReader = (texts) => {
  const method = texts['Payment Method'] || toForm().payment_method;
  const payment_method = readChoice(PAYMENT_METHOD_LABELS, CLIENTS_PAYMENT_METHOD, method);
  if (payment_method === undefined) return { problem: `Payment method can't be "${method}"` };
  const result = clientSchema.safeParse({
    name: texts['Client Name'],
    number_of_guards: texts['Number of Guards'],
    monthly_rate: texts['Monthly Rate (USD)']?.replace(/^\$/, ''),
    location: texts.Location,
    payment_method,
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid input' };
  return { record: toRow(result.data) };
};

/**
 * The monthly rate divided by the number of guards.
 * @param monthlyRate USD a month, not negative
 * @returns US cents a month, rounded half up; 0 without guards
 */
export function ratePerGuard(monthlyRate: number, guards: number): bigint {
  if (guards <= 0) return 0n;
  const divisor = BigInt(guards);
  return (parseCents(monthlyRate) * 2n + divisor) / (divisor * 2n);
}

export const EXPORT_COLUMNS: TableColumn<Client>[] = [
  { heading: 'Name', value: (row) => row.name },
  { heading: 'Number of Guards', value: (row) => row.number_of_guards },
  { heading: 'Monthly Rate', kind: 'amount', value: (row) => row.monthly_rate.toFixed(2) },
  {
    heading: 'Rate per Guard',
    kind: 'amount',
    value: (row) => formatCents(ratePerGuard(row.monthly_rate, row.number_of_guards)),
  },
  { heading: 'Location', value: (row) => row.location },
  { heading: 'Payment Method', value: (row) => PAYMENT_METHOD_LABELS[row.payment_method] },
];
