import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { RATE_PROPOSALS_KIND } from '#shared/database.values.ts';
import { formatAmount, formatDollars, parseAmount } from '#shared/money.ts';
import { RATE_LIMITS, type RateKind } from '#shared/rate-limits.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

type Tables = Database['public']['Tables'];
/** In force, or proposed and waiting for a second person. */
export type Rate = Pick<
  Tables['rate_proposals']['Row'],
  'id' | 'name' | 'effective_from' | 'from_amount' | 'rate'
> & { kind: RateKind; source: string | null };
export type Proposal = Rate & {
  created_by: string | null;
  profiles: { full_name: string | null; email: string | null } | null;
};

export const KIND_LABELS: Record<RateKind, string> = {
  income_tax: 'Income tax band',
  income_tax_non_resident: 'Income tax, non-resident',
  income_tax_no_tin: 'Income tax, at least, without a TIN',
  nasscorp_employee: 'NASSCORP, employee',
  nasscorp_employer: 'NASSCORP, employer',
  lrd_per_usd: 'LRD for one USD',
  minimum_wage: 'Minimum wage, USD a day',
  tax: 'Tax on invoices',
};

/** @returns for example "NASSCORP, employee", "Tax on invoices, GST" */
export const formatRateName = ({ kind, name }: Pick<Rate, 'kind' | 'name'>): string =>
  name ? `${KIND_LABELS[kind]}, ${name}` : KIND_LABELS[kind];

/** Whether rates of this kind are a share, entered in per cent. */
const isShare = (kind: RateKind) => kind !== 'lrd_per_usd' && kind !== 'minimum_wage';

const storedRate = (kind: RateKind, entry: string): number =>
  isShare(kind) ? Number((Number(entry) / 100).toFixed(6)) : Number(entry);

/** Per cent or money, up to four decimals. */
const figure = z
  .string()
  .trim()
  .regex(/^\d{1,6}(\.\d{1,4})?$/, 'Rate must be a number such as 4 or 5.5');

export const rateSchema = z
  .object({
    kind: z.enum(RATE_PROPOSALS_KIND),
    /** Of a tax on invoices. */
    name: textField('Name', limits.RATE_PROPOSALS_NAME_MAX),
    effective_from: dayField('Date is required'),
    from_amount: amountField({ name: 'Income from', negative: 'Income from cannot be negative' }),
    rate: figure,
    source: textField('Source', limits.RATE_PROPOSALS_SOURCE_MAX).min(1, 'Source is required'),
  })
  .superRefine(({ kind, rate }, context) => {
    const { least, most, problem } = RATE_LIMITS[kind];
    const stored = storedRate(kind, rate);
    if (stored < least || stored > most)
      context.addIssue({ code: 'custom', message: problem, path: ['rate'] });
  })
  .refine(({ kind, name }) => kind !== 'tax' || name !== '', {
    error: 'Name is required',
    path: ['name'],
  })
  .refine(({ kind, rate }) => kind !== 'minimum_wage' || parseAmount(rate) !== undefined, {
    error: 'Amount must have two decimals at most',
    path: ['rate'],
  });

export type RateForm = z.infer<typeof rateSchema>;

/** @returns per cent or an exchange rate without trailing zeros; a wage with two decimals */
function entryOf({ kind, rate }: Pick<Rate, 'kind' | 'rate'>): string {
  if (kind === 'minimum_wage') return amountEntry(rate);
  return String(isShare(kind) ? Number((rate * 100).toFixed(4)) : rate);
}

/** @returns the form of a new rate */
export const emptyRate = (): RateForm => ({
  kind: 'lrd_per_usd',
  name: '',
  effective_from: today(),
  from_amount: '',
  rate: '',
  source: '',
});

/** @returns the columns of the proposal */
export function toRow({ kind, name, rate, from_amount, ...form }: RateForm) {
  return {
    ...form,
    kind,
    name: kind === 'tax' ? name : null,
    from_amount: kind === 'income_tax' ? (amountOrNull(from_amount) ?? 0) : 0,
    rate: storedRate(kind, rate),
  };
}

/** @returns for example "5 % above L$70,000.00 a year", "4 %", "184", "$5.50" */
export function formatRate(row: Pick<Rate, 'kind' | 'rate' | 'from_amount'>): string {
  if (row.kind === 'minimum_wage') return formatDollars(row.rate);
  if (!isShare(row.kind)) return entryOf(row);
  if (row.kind !== 'income_tax') return `${entryOf(row)} %`;
  return `${entryOf(row)} % above L$${formatAmount(row.from_amount)} a year`;
}
