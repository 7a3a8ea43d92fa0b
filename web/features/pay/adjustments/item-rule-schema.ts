import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { PAY_ITEM_RULES_KIND } from '#shared/database.values.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { MONTHS } from '#web/lib/format/date-patterns.ts';
import { today } from '#web/lib/format/dates.ts';

export type ItemRule = Database['public']['Tables']['pay_item_rules']['Row'];
export type ItemKind = ItemRule['kind'];
export type DueItem = Database['public']['Functions']['pay_items_due']['Returns'][number];

/** Number in the calendar and name, for a select. */
export const MONTH_OPTIONS = MONTHS.map((name, index) => [String(index + 1), name] as const);

export const itemRuleSchema = z.object({
  kind: z.enum(PAY_ITEM_RULES_KIND),
  effective_from: dayField('Date is required'),
  months: z
    .string()
    .trim()
    .regex(/^\d{1,2}(\.\d{1,3})?$/, 'Months must be a number such as 1 or 0.5')
    .refine(
      (entry) => Number(entry) <= limits.PAY_ITEM_RULES_MONTHS_MAX,
      `Months must be at most ${limits.PAY_ITEM_RULES_MONTHS_MAX}`,
    ),
  paid_in: z.string(),
  least_service_months: wholeNumberField({
    name: 'Months of service',
    required: 'Months of service are required',
    minimum: limits.PAY_ITEM_RULES_LEAST_SERVICE_MONTHS_MIN,
    maximum: limits.PAY_ITEM_RULES_LEAST_SERVICE_MONTHS_MAX,
  }),
  taxable: z.enum(['yes', 'no']),
  source: textField('Source', limits.PAY_ITEM_RULES_SOURCE_MAX).min(1, 'Source is required'),
});
export type ItemRuleForm = z.infer<typeof itemRuleSchema>;

/** No figure: the company or its lawyer knows it, and where it is written. */
export const emptyItemRule = (): ItemRuleForm => ({
  kind: 'severance',
  effective_from: today(),
  months: '',
  paid_in: '12',
  least_service_months: '0',
  taxable: 'yes',
  source: '',
});

export const toItemRule = (form: ItemRuleForm) => ({
  kind: form.kind,
  effective_from: form.effective_from,
  months: Number(form.months),
  paid_in: form.kind === 'thirteenth_month' ? Number(form.paid_in) : null,
  least_service_months: parseWholeNumber(form.least_service_months),
  taxable: form.taxable === 'yes',
  source: form.source,
});

/** @returns for example "2 months of pay for each year of service, after 12 months, taxed" */
export function describeItemRule({
  kind,
  months,
  paid_in,
  least_service_months,
  taxable,
}: Omit<ItemRule, 'id'>): string {
  if (months === 0) return 'Off';
  const pay = months === 1 ? '1 month of pay' : `${months} months of pay`;
  const month = paid_in === null ? undefined : MONTHS[paid_in - 1];
  return [
    kind === 'severance' ? `${pay} for each year of service` : `${pay} for a year, in ${month}`,
    ...(least_service_months > 0 ? [`after ${least_service_months} months of service`] : []),
    taxable ? 'taxed' : 'not taxed',
  ].join(', ');
}
