import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { PAY_BASES_CURRENCY } from '#shared/database.values.ts';
import { amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { isInOrder } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';

type Named = { full_name: string | null; email: string | null } | null;

export type Adjustment = Database['public']['Tables']['pay_adjustments']['Row'] & {
  staff: { full_name: string } | null;
  person: Named;
  decider: Named;
};

/** Once a run has paid it, no decision changes it. */
export const findStatus = ({ status, payslip_line_id }: Adjustment) =>
  payslip_line_id === null ? status : 'paid';

const detailsSchema = z.object({ entered_by: z.string().optional() }).catch({});

/** Whether someone else must decide the adjustment: it is about the user's own pay, or the user entered it. */
export const isOwn = ({ user_id, details }: Adjustment, me: string | undefined): boolean =>
  me !== undefined && (user_id === me || detailsSchema.parse(details).entered_by === me);

export const decisionSchema = z.object({
  note: textField('Note', limits.PAY_ADJUSTMENTS_NOTE_MAX),
});

export const manualSchema = z
  .object({
    staff_id: z.string().min(1, 'Staff member is required'),
    period_start: z.iso.date('First day is required'),
    period_end: z.iso.date('Last day is required'),
    amount: amountField({ name: 'Amount', required: 'Amount is required' }).refine(
      (entry) => amountOrNull(entry) !== 0,
      'Enter an amount other than 0',
    ),
    currency: z.enum(PAY_BASES_CURRENCY),
    explanation: textField('Explanation', limits.PAY_ADJUSTMENTS_EXPLANATION_MAX).min(
      1,
      'Explanation is required',
    ),
  })
  .refine(({ period_start, period_end }) => isInOrder(period_start, period_end), {
    error: 'Last day is before the first',
    path: ['period_end'],
  });
export type ManualForm = z.infer<typeof manualSchema>;
