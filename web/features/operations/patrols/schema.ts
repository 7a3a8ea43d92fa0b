import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { formatClock } from '#web/lib/format/dates.ts';

type Tables = Database['public']['Tables'];
export type Checkpoint = Tables['checkpoints']['Row'];
export type Tour = Tables['tours']['Row'];

/** "6.30051, -10.79691", as maps copy it. */
const POSITION = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/;

export const checkpointSchema = z.object({
  site_id: z.string(),
  name: textField('Name', limits.CHECKPOINTS_NAME_MAX).min(1, 'Name is required'),
  /** Empty if unknown: scans are then not checked against it. */
  position: z
    .string()
    .trim()
    .refine(
      (text) => text === '' || isPosition(text),
      'Latitude and longitude, for example 6.3005, -10.7969',
    ),
});
export type CheckpointForm = z.infer<typeof checkpointSchema>;

function isPosition(text: string): boolean {
  const [, latitude, longitude] = POSITION.exec(text) ?? [];
  return (
    latitude !== undefined && Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
  );
}

export const toCheckpointForm =
  (siteId: string) =>
  (row?: Checkpoint): CheckpointForm => ({
    site_id: row?.site_id ?? siteId,
    name: row?.name ?? '',
    position:
      row?.latitude != null && row.longitude != null ? `${row.latitude}, ${row.longitude}` : '',
  });

export function checkpointRow({ position, ...rest }: CheckpointForm) {
  const [, latitude, longitude] = POSITION.exec(position) ?? [];
  return {
    ...rest,
    latitude: latitude === undefined ? null : Number(latitude),
    longitude: longitude === undefined ? null : Number(longitude),
  };
}

const TIME = /^([01]?\d|2[0-3]):[0-5]\d$/;
const timesOf = (text: string) => text.split(/[\s,;]+/).filter((part) => part !== '');

export const tourSchema = z
  .object({
    site_id: z.string(),
    name: textField('Name', limits.TOURS_NAME_MAX).min(1, 'Name is required'),
    /** Empty: for every guard at the site. */
    post_id: z.string(),
    rhythm: z.enum(['times', 'interval']),
    times: z.string().trim(),
    every_minutes: z.string(),
    tolerance_minutes: wholeNumberField({
      name: 'Tolerance',
      required: 'Tolerance is required',
      minimum: limits.TOURS_TOLERANCE_MINUTES_MIN,
      maximum: limits.TOURS_TOLERANCE_MINUTES_MAX,
    }),
    min_seconds: wholeNumberField({
      name: 'Shortest walk',
      required: 'Shortest walk is required',
      minimum: limits.TOURS_MIN_SECONDS_MIN,
      maximum: limits.TOURS_MIN_SECONDS_MAX,
    }),
    checkpoints: z.array(z.string()).min(1, 'Choose the checkpoints in their order'),
  })
  .refine(
    ({ rhythm, times }) =>
      rhythm === 'interval' ||
      (timesOf(times).length > 0 &&
        timesOf(times).length <= 48 &&
        timesOf(times).every((one) => TIME.test(one))),
    { error: 'Times such as 20:00, 23:30, 02:00', path: ['times'] },
  )
  .refine(
    ({ rhythm, every_minutes, tolerance_minutes }) =>
      rhythm === 'times' ||
      (Number(every_minutes) >= Math.max(30, 2 * Number(tolerance_minutes)) &&
        Number(every_minutes) <= 1_440),
    { error: 'At least 30 minutes, and twice the tolerance', path: ['every_minutes'] },
  )
  .refine(({ rhythm, post_id }) => rhythm === 'times' || post_id !== '', {
    error: 'Choose the post',
    path: ['post_id'],
  });
export type TourForm = z.infer<typeof tourSchema>;

export const toTourForm =
  (siteId: string) =>
  (row?: Tour): TourForm => ({
    site_id: row?.site_id ?? siteId,
    name: row?.name ?? '',
    post_id: row?.post_id ?? '',
    rhythm: row?.every_minutes ? 'interval' : 'times',
    times: row?.times?.map((time) => time.slice(0, 5)).join(', ') ?? '',
    every_minutes: row?.every_minutes?.toString() ?? '120',
    tolerance_minutes: row?.tolerance_minutes.toString() ?? '20',
    min_seconds: row?.min_seconds.toString() ?? '20',
    checkpoints: row?.checkpoints ?? [],
  });

export function tourRow({ rhythm, times, every_minutes, ...rest }: TourForm) {
  return {
    ...rest,
    post_id: orNull(rest.post_id),
    times: rhythm === 'times' ? timesOf(times) : null,
    every_minutes: rhythm === 'interval' ? Number(every_minutes) : null,
    tolerance_minutes: parseWholeNumber(rest.tolerance_minutes),
    min_seconds: parseWholeNumber(rest.min_seconds),
  };
}

/** @returns for example "20:00, 23:00" or "Every 120 min" */
export const formatRhythm = ({ times, every_minutes }: Tour): string =>
  every_minutes === null
    ? (times ?? []).map(formatClock).join(', ')
    : `Every ${every_minutes} min of a shift`;
