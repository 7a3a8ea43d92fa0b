import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { DEPLOYMENTS_STATUS } from '#shared/database.values.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { fromLocalInput, toLocalInput } from '#web/lib/format/dates.ts';

export type Deployment = Database['public']['Tables']['deployments']['Row'];

/** Value of a datetime-local input, in company time. */
function time(name: string) {
  return z
    .string()
    .min(1, `${name} is required`)
    .refine((value) => value === '' || fromLocalInput(value) !== undefined, {
      error: `${name} is not a valid date and time`,
      abort: true,
    });
}

export const deploymentSchema = z
  .object({
    guard_name: textField('Guard name', limits.DEPLOYMENTS_GUARD_NAME_MAX).min(
      1,
      'Guard name is required',
    ),
    /** Of the guard chosen from the suggestions; null for a name that was typed. */
    guard_id: z.uuid().nullable(),
    location: textField('Location', limits.DEPLOYMENTS_LOCATION_MAX).min(1, 'Location is required'),
    client_name: textField('Client name', limits.DEPLOYMENTS_CLIENT_NAME_MAX),
    client_id: z.uuid().nullable(),
    shift_start: time('Start time'),
    shift_end: time('End time'),
    status: z.enum(DEPLOYMENTS_STATUS),
    notes: textField('Notes', limits.DEPLOYMENTS_NOTES_MAX),
  })
  // Both have the same fixed-width format, so they compare as text.
  .refine(({ shift_start, shift_end }) => shift_end > shift_start, {
    error: 'End time must be after the start time',
    path: ['shift_end'],
    when: ({ value }) => timesSchema.safeParse(value).success,
  });

const timesSchema = z.object({ shift_start: time('Start time'), shift_end: time('End time') });

export type DeploymentForm = z.infer<typeof deploymentSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: Deployment): DeploymentForm {
  return {
    guard_name: row?.guard_name ?? '',
    guard_id: row?.guard_id ?? null,
    location: row?.location ?? '',
    client_name: row?.client_name ?? '',
    client_id: row?.client_id ?? null,
    shift_start: row ? toLocalInput(row.shift_start) : '',
    shift_end: row ? toLocalInput(row.shift_end) : '',
    status: row?.status ?? 'scheduled',
    notes: row?.notes ?? '',
  };
}
