import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { AVAILABILITY_KIND, AVAILABILITY_PART } from '#shared/database.values.ts';
import { isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';

export const KIND_LABELS = {
  unavailable: 'I can’t work',
  avoid: 'I would rather not work',
  prefer: 'I like to work',
} as const satisfies Record<(typeof AVAILABILITY_KIND)[number], string>;

/** The database's 0 is Monday. */
export const WEEKDAYS = [
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
  'Sundays',
] as const;

const PART_LABELS = { day: 'days only', night: 'nights only' } as const;

export const availabilitySchema = z
  .object({
    kind: z.enum(AVAILABILITY_KIND),
    /** A weekday's number, or `dates`. */
    when: z.union([z.literal('dates'), z.string().regex(/^[0-6]$/)]),
    from_day: optionalDayField,
    to_day: optionalDayField,
    part: z.union([z.literal(''), z.enum(AVAILABILITY_PART)]),
    note: textField('Note', limits.AVAILABILITY_NOTE_MAX),
  })
  .check(({ value, issues }) => {
    const { when, from_day, to_day } = value;
    const addIssue = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message });
    if (when !== 'dates') return;
    if (from_day === '') addIssue('from_day', 'First day is required');
    if (!isInOrder(from_day, to_day)) addIssue('to_day', 'Last day must not be before the first');
  });

export type AvailabilityForm = z.infer<typeof availabilitySchema>;

type Days = {
  weekday: number | null;
  from_day: string | null;
  to_day: string | null;
  part: keyof typeof PART_LABELS | null;
};

/** @returns for example "Sundays, nights only" or "Dec 24 - Dec 26, 2026" */
export function daysText({ weekday, from_day, to_day, part }: Days): string {
  const period = from_day === null ? '' : formatPeriod(from_day, to_day);
  return [weekday === null ? '' : WEEKDAYS[weekday], period, part && PART_LABELS[part]]
    .filter(Boolean)
    .join(', ');
}
