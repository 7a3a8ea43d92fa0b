import { format, parseISO, subMonths } from 'date-fns';
import { z } from 'zod';
import { formatAmount } from '#shared/money.ts';
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

/** Amounts are text, exact. */
const amounts = {
  currency: z.string(),
  gross: z.string(),
  taxable: z.string(),
  tax: z.string(),
  employee: z.string(),
  employer: z.string(),
};

const rowSchema = z.object({
  staff_id: z.string(),
  full_name: z.string(),
  payslips: z.number(),
  ...amounts,
});
export type ReturnRow = z.infer<typeof rowSchema>;

const totalSchema = z.object({ people: z.number(), ...amounts });

const rateSchema = z.object({
  kind: z.enum(['income_tax', 'nasscorp_employee', 'nasscorp_employer']),
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
  key: 'gross' | 'taxable' | 'tax' | 'employee' | 'employer';
  name: string;
};

export const AMOUNT_COLUMNS: Record<ReturnKind, readonly AmountColumn[]> = {
  paye: [
    { key: 'gross', name: 'Gross Pay' },
    { key: 'taxable', name: 'Taxable Pay' },
    { key: 'tax', name: 'Tax Withheld' },
  ],
  nasscorp: [
    { key: 'gross', name: 'Gross Pay' },
    { key: 'employee', name: 'Employee' },
    { key: 'employer', name: 'Employer' },
  ],
};
