import { z } from 'zod';
import { SICK_LEAVE_DAYS_BACK } from '#shared/time-limits.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { choiceField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { LEAVE_TYPES } from '#web/lib/vocabulary/kinds.ts';

/** @returns the first day that leave of this type may start on */
export function earliestStart(type: string): string {
  const now = today();
  return type === 'sick' ? dayAfter(now, -SICK_LEAVE_DAYS_BACK) : now;
}

export const requestSchema = z
  .object({
    type: choiceField(LEAVE_TYPES, 'Leave type is required'),
    start_date: dayField('Start date is required'),
    end_date: dayField('End date is required'),
    reason: z
      .string()
      .trim()
      .min(1, 'Reason is required')
      .max(2000, 'Reason must be at most 2000 characters'),
  })
  .check(({ value, issues }) => {
    const { type, start_date, end_date } = value;
    const addIssue = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message });
    if (start_date !== '' && start_date < earliestStart(type)) {
      addIssue(
        'start_date',
        type === 'sick'
          ? `Sick leave may start up to ${SICK_LEAVE_DAYS_BACK} days back`
          : 'Start date must not be in the past',
      );
    }
    if (start_date !== '' && end_date !== '' && end_date < start_date) {
      addIssue('end_date', 'End date must be after start date');
    }
  });

export type RequestForm = z.infer<typeof requestSchema>;

const draftSchema = z.object({
  type: z.union([z.literal(''), z.enum(LEAVE_TYPES)]).catch(''),
  start_date: z.string().catch(''),
  end_date: z.string().catch(''),
  reason: z.string().catch(''),
});

export const parseDraft = (values: Record<string, string>): RequestForm =>
  draftSchema.parse(values);

/** A valid request, as it is stored. */
export const submittedSchema = z.object({
  type: z.enum(LEAVE_TYPES),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  reason: z.string(),
});
