import {
  PAY_BASES_BASIS,
  PAY_BASES_CURRENCY,
  STAFF_PAYMENT_FREQUENCY,
  STAFF_ROLE,
  STAFF_STATUS,
} from '#shared/database.values.ts';
import { readChoice } from '#web/lib/files/choice-of.ts';
import type { ImportColumn, RowReader } from '#web/lib/files/read-table.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { isDay } from '#web/lib/format/is-day.ts';
import { PAY_BASIS_LABELS, PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type StaffRow, staffSchema, toForm, toRow } from './schema.ts';

export type ExportedStaff = Pick<
  StaffRow,
  | 'full_name'
  | 'email'
  | 'phone'
  | 'role'
  | 'hire_date'
  | 'salary_amount'
  | 'payment_frequency'
  | 'status'
  | 'currency'
  | 'pay_basis'
  | 'tax_resident'
  | 'tin'
  | 'nasscorp_number'
>;

/** Exported by the list, and read again by an import. */
export const EXPORT_COLUMNS: TableColumn<ExportedStaff>[] = [
  { heading: 'Name', value: (row) => row.full_name },
  { heading: 'Email', value: (row) => row.email },
  { heading: 'Phone', value: (row) => row.phone },
  { heading: 'Role', value: (row) => ROLE_LABELS[row.role] },
  { heading: 'Hire Date', kind: 'day', value: (row) => row.hire_date },
  { heading: 'Salary', kind: 'amount', value: (row) => row.salary_amount.toFixed(2) },
  { heading: 'Frequency', value: (row) => PAY_FREQUENCY_LABELS[row.payment_frequency] },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Pay Basis', value: (row) => PAY_BASIS_LABELS[row.pay_basis] },
  { heading: 'Tax Resident', value: (row) => (row.tax_resident ? 'Yes' : 'No') },
  { heading: 'TIN', value: (row) => row.tin },
  { heading: 'NASSCORP Number', value: (row) => row.nasscorp_number },
];

const labelsOf = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
) => values.map((value) => labels[value]);

/** As on the form, or as the export has them. */
export const IMPORT_COLUMNS: readonly ImportColumn[] = [
  { heading: 'Full Name', also: ['Name'], isRequired: true },
  { heading: 'Email' },
  { heading: 'Phone', kind: 'text' },
  { heading: 'Role', choices: labelsOf(STAFF_ROLE, ROLE_LABELS), note: 'Empty: guard' },
  { heading: 'Hire Date', kind: 'day', note: 'Empty: today' },
  { heading: 'Salary', isRequired: true, kind: 'amount', note: 'What the pay basis pays' },
  {
    heading: 'Payment Frequency',
    also: ['Frequency'],
    choices: labelsOf(STAFF_PAYMENT_FREQUENCY, PAY_FREQUENCY_LABELS),
    note: 'Empty: monthly',
  },
  { heading: 'Status', choices: labelsOf(STAFF_STATUS, STATUS_LABELS), note: 'Empty: active' },
  { heading: 'Currency', choices: PAY_BASES_CURRENCY, note: 'Empty: USD' },
  {
    heading: 'Pay Basis',
    choices: labelsOf(PAY_BASES_BASIS, PAY_BASIS_LABELS),
    note: `Empty: ${PAY_BASIS_LABELS.salary}`,
  },
  { heading: 'Tax Resident', choices: ['Yes', 'No'], note: 'Empty: yes' },
  { heading: 'TIN', also: ['Tax Number (TIN)'], kind: 'text' },
  { heading: 'NASSCORP Number', kind: 'text' },
];

const CURRENCY_LABELS = { USD: 'USD', LRD: 'LRD' };
const ANSWERS = ['yes', 'no'] as const;
const ANSWER_LABELS = { yes: 'true', no: 'false' };

/** Validates a row like the form. What is empty gets the default of the form, or of the database. */
export const readStaff: RowReader = (cells) => {
  const defaults = toForm();
  const cell = (heading: string) => cells[heading] ?? '';
  const choices = {
    Role: readChoice(ROLE_LABELS, STAFF_ROLE, cell('Role') || defaults.role),
    'Payment Frequency': readChoice(
      PAY_FREQUENCY_LABELS,
      STAFF_PAYMENT_FREQUENCY,
      cell('Payment Frequency') || defaults.payment_frequency,
    ),
    Status: readChoice(STATUS_LABELS, STAFF_STATUS, cell('Status') || defaults.status),
    Currency: readChoice(CURRENCY_LABELS, PAY_BASES_CURRENCY, cell('Currency') || 'USD'),
    'Pay Basis': readChoice(PAY_BASIS_LABELS, PAY_BASES_BASIS, cell('Pay Basis') || 'salary'),
    'Tax Resident': readChoice(ANSWER_LABELS, ANSWERS, cell('Tax Resident') || 'yes'),
  };
  for (const [heading, value] of Object.entries(choices)) {
    if (value === undefined) return { problem: `${heading} can't be "${cell(heading)}"` };
  }
  const result = staffSchema.safeParse({
    ...defaults,
    full_name: cell('Full Name'),
    email: cell('Email'),
    phone: cell('Phone'),
    tin: cell('TIN'),
    nasscorp_number: cell('NASSCORP Number'),
    role: choices.Role,
    hire_date: cell('Hire Date') || defaults.hire_date,
    salary_amount: cell('Salary').replace(/^\$/, ''),
    payment_frequency: choices['Payment Frequency'],
    status: choices.Status,
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid input' };
  if (!isDay(result.data.hire_date)) return { problem: 'Hire date must be like 2026-11-21' };
  return {
    record: {
      ...toRow(result.data),
      currency: choices.Currency ?? null,
      pay_basis: choices['Pay Basis'] ?? null,
      tax_resident: choices['Tax Resident'] === 'yes',
    },
  };
};
