import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { PAYMENT_FORMATS_DATE_FORMAT, PAYMENT_FORMATS_DELIMITER } from '#shared/database.values.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import type { Option } from '#web/lib/vocabulary/options.ts';

export type FormatRow = Database['public']['Tables']['payment_formats']['Row'];

const FIELDS = [
  'line',
  'code',
  'staff_name',
  'account_name',
  'account_number',
  'bank_name',
  'amount',
  'currency',
  'period',
  'date',
  'company_text',
] as const;

const FIELD_LABELS: Record<(typeof FIELDS)[number], string> = {
  line: 'Line number',
  code: 'Our reference',
  staff_name: 'Staff name',
  account_name: 'Name on the account',
  account_number: 'Account or phone number',
  bank_name: 'Bank',
  amount: 'Amount',
  currency: 'Currency',
  period: 'Pay period',
  date: 'Date of the file',
  company_text: 'Fixed text',
};

export const FIELD_OPTIONS: Option[] = FIELDS.map((field) => [field, FIELD_LABELS[field]]);

export const DATE_OPTIONS: Option[] = PAYMENT_FORMATS_DATE_FORMAT.map((format) => [
  format,
  format.replace('YYYY', '2026').replace('MM', '11').replace('DD', '30'),
]);

export const DELIMITER_OPTIONS: Option[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['|', 'Vertical bar'],
  ['\t', 'Tab'],
];

/** Headings of a result, in the order of the form. */
export const RESULT_FIELDS = ['code', 'status', 'amount', 'reference', 'date', 'reason'] as const;
export type ResultField = (typeof RESULT_FIELDS)[number];

export const RESULT_LABELS: Record<ResultField, string> = {
  code: 'Our reference',
  status: 'Status',
  amount: 'Amount',
  reference: 'Their reference',
  date: 'Date',
  reason: 'Reason of a failure',
};

const columnsSchema = z.array(
  z.object({ field: z.enum(FIELDS), header: textField('Heading', 60) }),
);
const headingsSchema = z.partialRecord(z.enum(RESULT_FIELDS), z.string()).catch({});

const heading = textField('Heading', 60);
const words = textField('Words', 300);
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

export const formatSchema = z
  .object({
    columns: columnsSchema
      .refine(
        (columns) => columns.every(({ header }) => header !== ''),
        'Every column needs a heading',
      )
      .refine(
        (columns) =>
          columns.some(({ field }) => field === 'code') &&
          columns.some(({ field }) => field === 'amount'),
        'The file needs our reference and the amount',
      ),
    has_header: z.enum(['yes', 'no']),
    delimiter: z.enum(PAYMENT_FORMATS_DELIMITER),
    date_format: z.enum(PAYMENT_FORMATS_DATE_FORMAT),
    company_text: textField('Fixed text', limits.PAYMENT_FORMATS_COMPANY_TEXT_MAX),
    result: z.object({
      code: heading.min(1, 'Heading is required'),
      status: heading.min(1, 'Heading is required'),
      amount: heading,
      reference: heading,
      date: heading,
      reason: heading,
    }),
    paid_words: words.min(1, 'Enter at least one word'),
    failed_words: words.min(1, 'Enter at least one word'),
  })
  .refine(
    ({ paid_words, failed_words }) =>
      !wordsOf(paid_words).some((word) => wordsOf(failed_words).includes(word)),
    { error: 'A word means either paid or failed', path: ['failed_words'] },
  );

export type FormatForm = z.infer<typeof formatSchema>;

export function toForm(row: FormatRow): FormatForm {
  const headings = headingsSchema.parse(row.result_columns);
  return {
    columns: columnsSchema.catch([]).parse(row.columns),
    has_header: row.has_header ? 'yes' : 'no',
    delimiter: row.delimiter,
    date_format: row.date_format,
    company_text: row.company_text ?? '',
    result: {
      code: headings.code ?? '',
      status: headings.status ?? '',
      amount: headings.amount ?? '',
      reference: headings.reference ?? '',
      date: headings.date ?? '',
      reason: headings.reason ?? '',
    },
    paid_words: row.paid_words.join(', '),
    failed_words: row.failed_words.join(', '),
  };
}

export function toRow(form: FormatForm) {
  const { columns, has_header, delimiter, date_format, company_text, result } = form;
  return {
    columns,
    has_header: has_header === 'yes',
    delimiter,
    date_format,
    company_text: company_text || null,
    result_columns: Object.fromEntries(Object.entries(result).filter(([, name]) => name !== '')),
    paid_words: wordsOf(form.paid_words),
    failed_words: wordsOf(form.failed_words),
  };
}

/** The headings that a result has, by what they contain. */
export const readHeadings = (row: Pick<FormatRow, 'result_columns'>) =>
  headingsSchema.parse(row.result_columns);
