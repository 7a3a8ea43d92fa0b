// What the monthly returns to authorities have in common: VAT, income tax and social security.
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { VAT_RETURNS_PAID_FROM } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField } from '#web/lib/form-fields/day-field.ts';
import { reasonField, textField } from '#web/lib/form-fields/text-field.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';

export type TaxReturn = Pick<
  Database['public']['Tables']['vat_returns']['Row'],
  | 'id'
  | 'month'
  | 'status'
  | 'lrd_per_usd'
  | 'brought_forward'
  | 'due'
  | 'filed_on'
  | 'filed_reference'
  | 'filed_by'
  | 'document_path'
  | 'paid_on'
  | 'paid_usd'
  | 'paid_lrd'
>;

export const fileSchema = z.object({
  filed_on: bookDayField('Day is required', 'Day'),
  reference: textField('Reference', limits.VAT_RETURNS_FILED_REFERENCE_MAX).min(
    1,
    'Reference is required',
  ),
});
export type FileForm = z.infer<typeof fileSchema>;

const paidField = (name: string) => amountField({ name, negative: `${name} cannot be negative` });

export const paySchema = z.object({
  paid_on: bookDayField('Day is required', 'Day'),
  usd: paidField('US dollars'),
  lrd: paidField('Liberian dollars'),
  paid_from: z.enum(VAT_RETURNS_PAID_FROM),
  reference: textField('Reference', limits.VAT_RETURNS_PAID_REFERENCE_MAX),
});
export type PayForm = z.infer<typeof paySchema>;

/** @returns what is left to pay, in LRD; nothing for a credit */
export const owedOf = ({ due }: Pick<TaxReturn, 'due'>): number => Math.max(0, due ?? 0);

/** The whole in LRD. */
export const toPayForm = (taxReturn: TaxReturn): PayForm => ({
  paid_on: today(),
  usd: '',
  lrd: amountEntry(owedOf(taxReturn)),
  paid_from: 'bank',
  reference: '',
});

export const payArguments = ({ paid_on, usd, lrd, paid_from, reference }: PayForm) => ({
  p_paid_on: paid_on,
  p_usd: amountOrNull(usd) ?? 0,
  p_lrd: amountOrNull(lrd) ?? 0,
  p_paid_from: paid_from,
  p_reference: reference,
});

export const reopenSchema = z.object({ reason: reasonField });

/** Of a month; `running` has not ended, `open` has no return yet, `elsewhere` is before the first return here. */
export const MONTH_STATES: Record<string, { label: string; tone: Tone }> = {
  running: { label: 'Running', tone: 'grey' },
  elsewhere: { label: 'Not filed here', tone: 'grey' },
  open: { label: 'To prepare', tone: 'orange' },
  prepared: { label: 'Prepared', tone: 'blue' },
  filed: { label: 'Filed', tone: 'yellow' },
  paid: { label: 'Paid', tone: 'green' },
};

/** @returns for example "$180.00 and L$500.00" */
export function inBoth(usd: number | null, lrd: number | null): string {
  if (usd === null || lrd === null) return '-';
  const parts = [usd !== 0 && formatMoney(usd, 'USD'), lrd !== 0 && formatMoney(lrd, 'LRD')];
  return parts.filter(Boolean).join(' and ') || formatMoney(0, 'USD');
}

/** @returns the credit of the month before, if any, and what is due or carried forward */
export function dueFigures({
  brought_forward,
  due,
}: Pick<TaxReturn, 'brought_forward' | 'due'>): [name: string, figure: string][] {
  const sum = due ?? 0;
  return [
    ...(brought_forward === 0
      ? []
      : [
          ['Credit brought forward', formatMoney(brought_forward, 'LRD')] satisfies [
            string,
            string,
          ],
        ]),
    [sum < 0 ? 'Credit carried forward' : 'Due', formatMoney(Math.abs(sum), 'LRD')],
  ];
}

/** @returns when it was filed and paid, as sentences; '' before */
export const describeSteps = ({
  filed_on,
  filed_reference,
  paid_on,
  paid_usd,
  paid_lrd,
}: TaxReturn): string =>
  [
    filed_on && `Filed ${formatDay(filed_on)}, reference ${filed_reference}.`,
    paid_on && `Paid ${formatDay(paid_on)}: ${inBoth(paid_usd, paid_lrd)}.`,
  ]
    .filter(Boolean)
    .join(' ');
