import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { LEAVE_REQUESTS_TYPE } from '#shared/database.values.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { choiceField, textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';

/** @returns the first day that leave of this type may start on */
export function earliestStart(type: string): string {
  const now = today();
  return type === 'sick' ? dayAfter(now, -limits.SICK_LEAVE_DAYS_BACK) : now;
}

export const requestSchema = z
  .object({
    type: choiceField(LEAVE_REQUESTS_TYPE, 'Leave type is required'),
    start_date: dayField('Start date is required'),
    end_date: dayField('End date is required'),
    reason: textField('Reason', limits.LEAVE_REQUESTS_REASON_MAX).min(1, 'Reason is required'),
  })
  .check(({ value, issues }) => {
    const { type, start_date, end_date } = value;
    const addIssue = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message });
    if (start_date !== '' && start_date < earliestStart(type)) {
      addIssue(
        'start_date',
        type === 'sick'
          ? `Sick leave may start up to ${limits.SICK_LEAVE_DAYS_BACK} days back`
          : 'Start date must not be in the past',
      );
    }
    if (start_date !== '' && end_date !== '' && end_date < start_date) {
      addIssue('end_date', 'End date must be after start date');
    }
  });

export type RequestForm = z.infer<typeof requestSchema>;

const draftSchema = z.object({
  type: z.union([z.literal(''), z.enum(LEAVE_REQUESTS_TYPE)]).catch(''),
  start_date: z.string().catch(''),
  end_date: z.string().catch(''),
  reason: z.string().catch(''),
});

export const parseDraft = (values: Record<string, string>): RequestForm =>
  draftSchema.parse(values);

/** A valid request, as it is stored. */
export const submittedSchema = z.object({
  type: z.enum(LEAVE_REQUESTS_TYPE),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  reason: z.string(),
});
