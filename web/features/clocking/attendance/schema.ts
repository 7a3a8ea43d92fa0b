import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { fromLocalInput } from '#web/lib/format/dates.ts';

/** An assignment with its attendance record, if any. */
export type AttendanceRow = Database['public']['Views']['attendance_overview']['Row'];

const reasonField = textField('The reason', limits.ATTENDANCE_CORRECTION_REASON_MAX).min(
  1,
  'Enter a reason',
);

/** @param zone IANA zone of the site, in which the times are entered */
export const correctionSchema = (zone: string) =>
  z
    .object({
      clock_in: z.string().min(1, 'Clock-in is required'),
      clock_out: z.string(),
      reason: reasonField,
    })
    .refine(({ clock_in }) => fromLocalInput(clock_in, zone) !== undefined, {
      path: ['clock_in'],
      message: 'Enter a valid date and time',
    })
    .refine(({ clock_in, clock_out }) => clock_out === '' || clock_out >= clock_in, {
      path: ['clock_out'],
      message: 'Clock-out must be after clock-in',
    });
export type Correction = z.infer<ReturnType<typeof correctionSchema>>;

export const resolutionSchema = z.object({ resolution: reasonField });
