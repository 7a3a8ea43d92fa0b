import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { ASSIGNMENTS_STATUS } from '#shared/database.values.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { findEndDate, toWallTimes } from './shift-times.ts';

export type Shift = Database['public']['Views']['shift_board']['Row'];

const timeField = (required: string) => z.string().min(1, required);

export const timesSchema = z.object({
  start_date: dayField('Start date is required'),
  start_time: timeField('Start time is required'),
  end_date: dayField('End date is required'),
  end_time: timeField('End time is required'),
});

const HEADCOUNT = 'Required guards must be a whole number from 1 to 1,000';

export const shiftSchema = z
  .object({
    site_id: z.string().min(1, 'Site is required'),
    ...timesSchema.shape,
    required_headcount: z
      .string()
      .min(1, 'Required guards is required')
      .refine((entry) => /^\d{1,4}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= 1000, {
        error: HEADCOUNT,
      }),
    notes: textField('Notes', limits.SHIFTS_NOTES_MAX),
  })
  // Both are local times of the site, so comparing the strings compares the times.
  .refine((form) => `${form.end_date}T${form.end_time}` > `${form.start_date}T${form.start_time}`, {
    error: 'End must be after start',
    path: ['end_time'],
    when: ({ value }) => timesSchema.safeParse(value).success,
  });

export type ShiftForm = z.infer<typeof shiftSchema>;

/** @param day start date, yyyy-MM-dd */
export function emptyForm(day: string, site_id = ''): ShiftForm {
  const hours = { start_date: day, start_time: '', end_time: '' };
  return {
    site_id,
    ...hours,
    end_date: findEndDate(hours),
    required_headcount: '1',
    notes: '',
  };
}

export function toForm(shift: Shift): ShiftForm {
  return {
    site_id: shift.site_id,
    ...toWallTimes(shift),
    required_headcount: String(shift.required_headcount),
    notes: shift.notes ?? '',
  };
}

export const assignmentSchema = z.object({
  status: z.enum(ASSIGNMENTS_STATUS),
  role_at_shift: textField('Role at shift', limits.ASSIGNMENTS_ROLE_AT_SHIFT_MAX),
});
export type AssignmentForm = z.infer<typeof assignmentSchema>;

export const STAFFING_FILTER_LABELS = { ...STATUS_LABELS, open: 'Open posts' };
