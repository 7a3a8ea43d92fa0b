// What may be entered in a request for leave (specification, sections 2 and 5). Days are the company's, yyyy-MM-dd.
import { format, parseISO, subDays } from 'date-fns';
import { z } from 'zod';
import { dayField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { LEAVE_TYPES } from '../labels.ts';

/** Somebody ill asks afterwards: days that sick leave may start before today. */
const SICK_DAYS_BACK = 7;

const typeSchema = z.union([z.literal(''), z.enum(LEAVE_TYPES)]);
// Says nothing about the type, so that a form with nothing chosen yet stays a form.
const isChosen = (value: string): boolean => value !== '';

/** @returns the first day that leave of this type may start on */
export function earliestStart(type: string): string {
  const now = today();
  return type === 'sick' ? format(subDays(parseISO(now), SICK_DAYS_BACK), 'yyyy-MM-dd') : now;
}

export const requestSchema = z
  .object({
    type: typeSchema.refine(isChosen, 'Leave type is required'),
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
    const tell = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message });
    if (start_date !== '' && start_date < earliestStart(type)) {
      tell(
        'start_date',
        type === 'sick'
          ? `Sick leave may start up to ${SICK_DAYS_BACK} days back`
          : 'Start date must not be in the past',
      );
    }
    if (start_date !== '' && end_date !== '' && end_date < start_date) {
      tell('end_date', 'End date must be after start date');
    }
  });

export type RequestForm = z.infer<typeof requestSchema>;

const draftSchema = z.object({
  type: typeSchema.catch(''),
  start_date: z.string().catch(''),
  end_date: z.string().catch(''),
  reason: z.string().catch(''),
});

/** @returns the form as it was left; empty where nothing was written yet */
export const formOfDraft = (values: Record<string, string>): RequestForm =>
  draftSchema.parse(values);

/** A request that has passed the rules, as it is stored. */
export const submittedSchema = z.object({
  type: z.enum(LEAVE_TYPES),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  reason: z.string(),
});
