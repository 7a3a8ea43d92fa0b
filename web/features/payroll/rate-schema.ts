import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { formatAmount, formatDollars, parseAmount } from '#shared/money.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

export type Rate = Database['public']['Tables']['pay_rates']['Row'];

export const KINDS = [
  'income_tax',
  'income_tax_non_resident',
  'nasscorp_employee',
  'nasscorp_employer',
  'lrd_per_usd',
  'minimum_wage',
] as const;

export const KIND_LABELS: Record<Rate['kind'], string> = {
  income_tax: 'Income tax band',
  income_tax_non_resident: 'Income tax, non-resident',
  nasscorp_employee: 'NASSCORP, employee',
  nasscorp_employer: 'NASSCORP, employer',
  lrd_per_usd: 'LRD for one USD',
  minimum_wage: 'Minimum wage, USD a day',
};

/** Whether rates of this kind are a share, entered in per cent. */
const isShare = (kind: Rate['kind']) => kind !== 'lrd_per_usd' && kind !== 'minimum_wage';

/** Per cent or money, up to four decimals. */
const figure = z
  .string()
  .trim()
  .regex(/^\d{1,6}(\.\d{1,4})?$/, 'Rate must be a number such as 4 or 5.5');

export const rateSchema = z
  .object({
    kind: z.enum(KINDS),
    effective_from: dayField('Date is required'),
    from_amount: amountField({ name: 'Income from', negative: 'Income from cannot be negative' }),
    rate: figure,
    source: textField('Source', 500).min(1, 'Source is required'),
  })
  .refine(({ kind, rate }) => !isShare(kind) || Number(rate) <= 100, {
    error: 'A share is at most 100 %',
    path: ['rate'],
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

/** @returns the form filled with a stored record; empty without one */
export function formOf(row?: Rate): RateForm {
  return {
    kind: row?.kind ?? 'lrd_per_usd',
    effective_from: row?.effective_from ?? today(),
    from_amount: amountEntry(row?.from_amount),
    rate: row ? entryOf(row) : '',
    source: row?.source ?? '',
  };
}

export function rowOf({ kind, rate, from_amount, ...form }: RateForm) {
  return {
    ...form,
    kind,
    from_amount: kind === 'income_tax' ? (amountOrNull(from_amount) ?? 0) : 0,
    rate: isShare(kind) ? Number((Number(rate) / 100).toFixed(6)) : Number(rate),
  };
}

/** @returns for example "5 % above L$70,000.00 a year", "4 %", "184", "$5.50" */
export function formatRate(row: Rate): string {
  if (row.kind === 'minimum_wage') return formatDollars(row.rate);
  if (!isShare(row.kind)) return entryOf(row);
  if (row.kind !== 'income_tax') return `${entryOf(row)} %`;
  return `${entryOf(row)} % above L$${formatAmount(row.from_amount)} a year`;
}
