import { format, parseISO, subMonths } from 'date-fns';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import {
  PAY_BASES_CURRENCY,
  PAY_RUNS_PAY_GROUP,
  TAX_NUMBER_FORMATS_KIND,
} from '#shared/database.values.ts';
import { centsToNumber, formatAmount, sumCents } from '#shared/money.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import type { ReturnKind } from './search.ts';

export const RETURN_LABELS: Record<ReturnKind, string> = { paye: 'PAYE', nasscorp: 'NASSCORP' };

export const RETURN_TITLES: Record<ReturnKind, string> = {
  paye: 'PAYE Schedule',
  nasscorp: 'NASSCORP Schedule',
};

/** @returns yyyy-MM */
export const lastMonth = () => format(subMonths(parseISO(today()), 1), 'yyyy-MM');

const MONTHS_OFFERED = 36;

/**
 * For a list, because Firefox and Safari on a Mac show a month field as plain text.
 * @param chosen yyyy-MM, in the list however long ago it is @returns yyyy-MM, the present month first
 */
export function monthChoices(chosen: string): string[] {
  const present = parseISO(today());
  const recent = Array.from({ length: MONTHS_OFFERED }, (_, back) =>
    format(subMonths(present, back), 'yyyy-MM'),
  );
  return [...new Set([...recent, chosen])].sort().reverse();
}

export type PayReturn = Database['public']['Tables']['pay_returns']['Row'];
export type ReturnYear = Database['public']['Functions']['pay_return_year']['Returns'][number];

/** Amounts are text, exact. */
const amounts = {
  currency: z.enum(PAY_BASES_CURRENCY),
  gross: z.string(),
  taxable: z.string(),
  tax: z.string(),
  employee: z.string(),
  employer: z.string(),
};

const rowSchema = z.object({
  staff_id: z.string(),
  full_name: z.string(),
  tin: z.string().nullable(),
  nasscorp_number: z.string().nullable(),
  tax_resident: z.boolean(),
  payslips: z.number(),
  ...amounts,
});
export type ReturnRow = z.infer<typeof rowSchema>;

/** A pay run in the return. */
const partSchema = z.object({
  pay_run_id: z.string(),
  period_start: z.string(),
  period_end: z.string(),
  pay_group: z.enum(PAY_RUNS_PAY_GROUP),
  /** Its run was voided after a return with it was filed: amounts are negative. */
  is_reversal: z.boolean(),
  payslips: z.number(),
  ...amounts,
});
export type ReturnPart = z.infer<typeof partSchema>;

const totalSchema = z.object({ people: z.number(), ...amounts });

const rateSchema = z.object({
  kind: z.enum(['income_tax', 'income_tax_no_tin', 'nasscorp_employee', 'nasscorp_employer']),
  from_amount: z.number(),
  rate: z.number(),
  effective_from: z.string(),
  source: z.string(),
});
type Rate = z.infer<typeof rateSchema>;

export const scheduleSchema = z.object({
  month: z.string(),
  due_on: z.string(),
  rates: z.array(rateSchema),
  exchange_rates: z.array(z.number()),
  runs: z.number(),
  open_runs: z.number(),
  /** Rows on all pages. */
  count: z.number(),
  /** People without the number of this authority. */
  missing: z.number(),
  parts: z.array(partSchema),
  rows: z.array(rowSchema),
  totals: z.array(totalSchema),
});
export type Schedule = z.infer<typeof scheduleSchema>;

const percent = (rate: number) => `${Number((rate * 100).toFixed(4))} %`;

/** @returns for example "Employee: 4 % of gross pay", "5 % of yearly income above L$70,000.00" */
export function describeRate({ kind, rate, from_amount }: Rate): string {
  if (kind === 'income_tax') {
    return `${percent(rate)} of yearly income above L$${formatAmount(from_amount)}`;
  }
  if (kind === 'income_tax_no_tin') {
    return `At least ${percent(rate)} of taxable pay without a tax number (TIN)`;
  }
  return `${kind === 'nasscorp_employee' ? 'Employee' : 'Employer'}: ${percent(rate)} of gross pay`;
}

/** Unconfirmed points, shown with the figures. */
export function listNotes(kind: ReturnKind, { exchange_rates }: Schedule): string[] {
  const rates = exchange_rates.map((rate) => `L$${rate}`).join(', ');
  const notes = [
    'This helps to fill in the return. It is not legal advice: check rates, forms and dates with the authority.',
    'A pay run counts in the month in which its period ends.',
    'The due date is the 10th of the next month, as published for payroll tax (PwC tax summaries).',
  ];
  if (kind === 'nasscorp') {
    return [...notes, 'Published sources don’t confirm that NASSCORP is due on the same day.'];
  }
  notes.push(
    'Tax is a share of the yearly tax on twelve times the month’s pay. The method, and whether NASSCORP lowers taxable pay, are not confirmed.',
  );
  if (rates) {
    notes.push(
      `Bands are in LRD. Pay in USD was compared at ${rates} per US$, as stored on the pay run. Which exchange rate is required is not confirmed.`,
    );
  }
  return notes;
}

export type AmountColumn = {
  key: 'gross' | 'taxable' | 'tax' | 'employee' | 'employer' | 'contribution';
  name: string;
  of: (amounts: Amounts) => string | number;
};

type Amounts = { [Key in 'gross' | 'taxable' | 'tax' | 'employee' | 'employer']: string };

const contributionOf = ({ employee, employer }: Amounts) =>
  centsToNumber(sumCents([employee, employer]));

export const AMOUNT_COLUMNS: Record<ReturnKind, readonly AmountColumn[]> = {
  paye: [
    { key: 'gross', name: 'Gross Pay', of: ({ gross }) => gross },
    { key: 'taxable', name: 'Taxable Pay', of: ({ taxable }) => taxable },
    { key: 'tax', name: 'Tax Withheld', of: ({ tax }) => tax },
  ],
  nasscorp: [
    { key: 'gross', name: 'Gross Pay', of: ({ gross }) => gross },
    { key: 'employee', name: 'Employee', of: ({ employee }) => employee },
    { key: 'employer', name: 'Employer', of: ({ employer }) => employer },
    { key: 'contribution', name: 'Contribution', of: contributionOf },
  ],
};

/** The number by which each authority knows a person. */
export const NUMBER_COLUMNS: Record<
  ReturnKind,
  { name: string; of: (row: Pick<ReturnRow, 'tin' | 'nasscorp_number'>) => string | null }
> = {
  paye: { name: 'TIN', of: ({ tin }) => tin },
  nasscorp: { name: 'NASSCORP Number', of: ({ nasscorp_number }) => nasscorp_number },
};

/** What locked runs of a month make due and filed returns don't have, by currency; nothing before a month is filed. */
export function changesOf(month: ReturnYear): { currency: 'USD' | 'LRD'; more: number }[] {
  if (month.status !== 'filed' && month.status !== 'paid') return [];
  return (
    [
      ['USD', month.runs_usd, month.filed_usd],
      ['LRD', month.runs_lrd, month.filed_lrd],
    ] as const
  ).flatMap(([currency, runs, filed]) => {
    const more = centsToNumber(sumCents([runs, -filed]));
    return more === 0 ? [] : [{ currency, more }];
  });
}

/** Ten years, and the chosen one. @returns the present year first */
export function yearChoices(chosen: string): string[] {
  const present = Number(today().slice(0, 4));
  const recent = Array.from({ length: 10 }, (_, back) => String(present - back));
  return [...new Set([...recent, chosen])].sort().reverse();
}

const certifiedSchema = rowSchema
  .pick({ staff_id: true, full_name: true, tin: true, nasscorp_number: true, tax_resident: true })
  .extend({ months: z.array(z.object({ month: z.string(), ...amounts })) });
export type Certified = z.infer<typeof certifiedSchema>;
export type CertifiedMonth = Certified['months'][number];

export const certificatesSchema = z.object({ count: z.number(), rows: z.array(certifiedSchema) });

const SUMMED = ['gross', 'taxable', 'tax', 'employee', 'employer'] as const;

/** @returns the sums of a person's year, of each currency */
export const yearSums = ({ months }: Pick<Certified, 'months'>): CertifiedMonth[] =>
  PAY_BASES_CURRENCY.flatMap((currency) => {
    const own = months.filter((each) => each.currency === currency);
    const [first] = own;
    if (!first) return [];
    const sums = { ...first };
    for (const key of SUMMED)
      sums[key] = centsToNumber(sumCents(own.map((each) => each[key]))).toFixed(2);
    return [sums];
  });

export type CompanyNumbers = Database['public']['Tables']['company_numbers']['Row'];
export type NumberFormat = Database['public']['Tables']['tax_number_formats']['Row'];
export type MissingNumber =
  Database['public']['Functions']['missing_tax_numbers']['Returns'][number];

export const companySchema = z.object({
  tin: textField('Tax number', limits.COMPANY_NUMBERS_TIN_MAX),
  nasscorp_number: textField('NASSCORP number', limits.COMPANY_NUMBERS_NASSCORP_NUMBER_MAX),
});
export type CompanyForm = z.infer<typeof companySchema>;

/** @param mask as it is stored: 9 is a digit and A a letter @returns for example "9 digits" */
export const describeMask = (mask: string): string =>
  /^9+$/.test(mask)
    ? `${mask.length} digits`
    : `${mask}, where 9 is a digit and A a capital letter`;

export const formatSchema = z.object({
  kind: z.enum(TAX_NUMBER_FORMATS_KIND),
  effective_from: dayField('First day is required'),
  mask: z
    .string()
    .trim()
    .regex(
      /^[9A0-8B-Z /-]{3,40}$/,
      'Use 9 for a digit, A for a letter, and what is always the same',
    ),
  source: textField('Source', limits.TAX_NUMBER_FORMATS_SOURCE_MAX).min(1, 'Source is required'),
});
export type FormatForm = z.infer<typeof formatSchema>;

export const FORMAT_LABELS: Record<NumberFormat['kind'], string> = {
  tin: 'Tax number (TIN)',
  nasscorp_person: 'NASSCORP number of a person',
  nasscorp_employer: 'NASSCORP number of the employer',
};
