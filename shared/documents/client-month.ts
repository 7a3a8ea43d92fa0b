// The month of a client, as `client_month` returns it.

import { format, parseISO } from 'date-fns';
import { z } from 'zod';
import { INCIDENTS_SEVERITY } from '#shared/database.values.ts';

export const clientMonthSchema = z.object({
  client: z.string(),
  /** First and last day, yyyy-MM-dd. */
  from: z.string(),
  to: z.string(),
  /** Minutes of guards; late is a part of uncovered. */
  sites: z.array(
    z.object({
      site: z.string(),
      required: z.number(),
      worked: z.number(),
      uncovered: z.number(),
      late: z.number(),
      overstaffed: z.number(),
    }),
  ),
  /** Days with a shift. */
  days: z.array(z.object({ day: z.string(), required: z.number(), uncovered: z.number() })),
  /** From the gravest. Medians in minutes, null if none was responded to or resolved. */
  severities: z.array(
    z.object({
      severity: z.enum(INCIDENTS_SEVERITY),
      incidents: z.number(),
      response_in_time: z.number(),
      response_late: z.number(),
      response_minutes: z.number().nullable(),
      resolution_in_time: z.number(),
      resolution_late: z.number(),
      resolution_minutes: z.number().nullable(),
    }),
  ),
  /** Calls for service by priority, from danger; without cancelled ones. Medians in minutes, null if none was answered or reached. */
  calls: z
    .array(
      z.object({
        priority: z.string(),
        calls: z.number(),
        false_alarms: z.number(),
        answered_in_time: z.number(),
        answered_late: z.number(),
        answer_minutes: z.number().nullable(),
        on_scene_in_time: z.number(),
        on_scene_late: z.number(),
        on_scene_minutes: z.number().nullable(),
      }),
    )
    // A server of the release before sends none.
    .default([]),
  categories: z.array(z.object({ category: z.string(), incidents: z.number() })),
  /** Reports that the figures leave out. */
  not_reviewed: z.number(),
});
export type ClientMonth = z.infer<typeof clientMonthSchema>;
export type CallTimes = ClientMonth['calls'][number];

/** @param day of the month, yyyy-MM-dd @returns for example "March 2031" */
export const printedMonth = (day: string): string => format(parseISO(day), 'MMMM yyyy');

const DAY_MINUTES = 1440;

/** @returns for example "45 min", "7 h 30 min" or "3 days 4 h" */
export function printedDuration(minutes: number): string {
  const days = Math.floor(minutes / DAY_MINUTES);
  const hours = Math.floor((minutes % DAY_MINUTES) / 60);
  const parts =
    days > 0
      ? [`${days} ${days === 1 ? 'day' : 'days'}`, `${hours} h`]
      : [`${hours} h`, `${minutes % 60} min`];
  return parts.filter((part) => !part.startsWith('0 ')).join(' ') || '0 min';
}

/** @returns "98.5%"; "-" if nothing was required; 100% only if nothing is missing */
export function printedCoverage(required: number, uncovered: number): string {
  if (required === 0) return '-';
  return `${Math.floor((1000 * (required - uncovered)) / required) / 10}%`;
}

/** @returns for example "3 of 4", "-" if none is decided yet */
export const printedInTime = (inTime: number, late: number): string =>
  inTime + late === 0 ? '-' : `${inTime} of ${inTime + late}`;

export const printedMedian = (minutes: number | null): string =>
  minutes === null ? '-' : printedDuration(minutes);

export const sumOf = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((sum, row) => sum + row[key], 0);

/** @param word of the database, for example "vandalism" */
export const printedWord = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
