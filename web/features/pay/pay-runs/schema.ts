import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import {
  PAY_BASES_CURRENCY,
  type PAY_RUNS_STATUS,
  STAFF_PAYMENT_FREQUENCY,
} from '#shared/database.values.ts';
import { OLD_EXCHANGE_RATE_DAYS } from '#shared/rate-limits.ts';
import type { Payslip, Slip } from '#web/lib/data/payslips.ts';
import { reasonField } from '#web/lib/form-fields/text-field.ts';
import { formatDay } from '#web/lib/format/dates.ts';

type Tables = Database['public']['Tables'];
type RunStatus = (typeof PAY_RUNS_STATUS)[number];
export type PayRun = Omit<Tables['pay_runs']['Row'], 'status'> & { status: RunStatus };
export type PayslipRow = Tables['payslips']['Row'] & {
  staff: { full_name: string; role: string };
};
/** A calculated payslip; locking the run writes its payroll record. */
export type SlipDetails = Slip &
  Pick<Payslip, 'staff'> & { payroll: Omit<Payslip, 'staff' | 'payslips'> | null };

export const problemsSchema = z.array(
  z.object({
    code: z.string(),
    staff_id: z.string().nullish(),
    name: z.string().nullish(),
    text: z.string(),
  }),
);
export type Problem = z.infer<typeof problemsSchema>[number];

export const newRunSchema = z.object({
  pay_group: z.enum(STAFF_PAYMENT_FREQUENCY),
  currency: z.enum(PAY_BASES_CURRENCY),
  /** First day of the period. */
  period: z.iso.date('Choose a period'),
});
export type NewRun = z.infer<typeof newRunSchema>;

/** Steps of a run that nobody has voided, in their order. */
export const RUN_STEPS = ['draft', 'calculated', 'approved', 'locked', 'paid'] as const;
export type RunStep = (typeof RUN_STEPS)[number];

/** @returns the place among the steps that the run has reached; -1 when it is void */
export function reachedStep(status: RunStatus): number {
  if (status === 'void') return -1;
  // A run in review has been calculated.
  return RUN_STEPS.indexOf(status === 'in_review' ? 'calculated' : status);
}

/** @returns whether the figures may still be calculated again */
export const isOpen = (status: RunStatus): boolean =>
  status === 'draft' || status === 'calculated' || status === 'in_review';

export const voidSchema = z.object({ reason: reasonField });

const DAY_MS = 86_400_000;

/** @returns that the run has an old exchange rate, while it isn't locked */
export function oldRateNote(
  run: Pick<PayRun, 'status' | 'lrd_per_usd' | 'rate_date' | 'period_end'>,
): string | undefined {
  const days = (Date.parse(run.period_end) - Date.parse(run.rate_date)) / DAY_MS;
  if (days <= OLD_EXCHANGE_RATE_DAYS || !(isOpen(run.status) || run.status === 'approved'))
    return undefined;
  return `L$${run.lrd_per_usd} per US$ is from ${formatDay(run.rate_date)}, ${days} days before the period ends. To pay with another, propose it under Pay Rates, void this run and begin it again.`;
}

/** @returns what locking the run on this day would leave unpaid; timesheets as of its calculation */
export const listWarnings = (
  { period_end }: Pick<PayRun, 'period_end'>,
  problems: readonly Problem[],
  day: string,
) => ({
  isBeforeEnd: day <= period_end,
  notApproved: problems.filter(({ code }) => code === 'hours_not_approved').length,
});
