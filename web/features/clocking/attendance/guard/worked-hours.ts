import { format, startOfWeek } from 'date-fns';
import { company } from '#company';
import { flagLabel } from '#shared/attendance-flags.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import { wallClock } from '#web/lib/format/wall-clock.ts';
import type { WorkedShift } from './api.ts';

/** A clock-out missing longer than this after the end of the shift counts as an exception. */
const GRACE_MS = 15 * 60_000;

/** Regular minutes a week; more is overtime. Decent Work Act of Liberia, as mywage.org/liberia reports it. */
export const REGULAR_WEEK_MINUTES = 48 * 60;

export const countOvertime = (minutes: number) => Math.max(0, minutes - REGULAR_WEEK_MINUTES);

type Span = 'week' | 'month';

export type Total = {
  /** First day, yyyy-MM-dd, in the company's zone. */
  start: string;
  minutes: number;
  lateMinutes: number;
  exceptions: number;
  shifts: WorkedShift[];
};

/** @returns minutes between clock-in and clock-out; an open record counts as 0 */
export function countMinutes({ attendance }: WorkedShift): number {
  const worked = attendance.map(({ clock_in_at, clock_out_at }) =>
    clock_out_at ? Date.parse(clock_out_at) - Date.parse(clock_in_at) : 0,
  );
  return Math.floor(worked.reduce((sum, each) => sum + each, 0) / 60_000);
}

export function countLateMinutes({ attendance }: WorkedShift): number {
  // A second clock-in on the same shift is a return, not a late arrival.
  return attendance.length === 0
    ? 0
    : Math.min(...attendance.map(({ late_minutes }) => late_minutes));
}

/** @returns labels of what needs attention, for example "Late 5 min" */
export function listExceptions(worked: WorkedShift, now: Date): string[] {
  const { attendance, shift } = worked;
  const isOver = Date.parse(shift.end_time) + GRACE_MS < now.getTime();
  const late = countLateMinutes(worked);
  const early = Math.min(...attendance.map(({ early_minutes }) => early_minutes));
  const flags = new Set(attendance.flatMap((record) => record.flags));
  const isOpen = attendance.some(({ clock_out_at }) => clock_out_at === null);
  return [
    attendance.length === 0 && isOver && 'No clock-in',
    isOpen && isOver && 'No clock-out',
    late > 0 && `Late ${formatMinutes(late)}`,
    !isOpen && attendance.length > 0 && early > 0 && `Left ${formatMinutes(early)} early`,
    // The line above already shows the minutes.
    ...[...flags].filter((flag) => flag !== 'left_early').map(flagLabel),
    attendance.some(({ needs_review }) => needs_review) && 'Under review',
    attendance.some(({ corrected_at }) => corrected_at !== null) && 'Corrected',
  ].filter((label) => label !== false);
}

function startOf(instant: string, span: Span): string {
  const date = wallClock(instant, company.timeZone);
  return span === 'month'
    ? format(date, 'yyyy-MM-01')
    : format(startOfWeek(date, { weekStartsOn: 1 }), 'yyyy-MM-dd');
}

/**
 * Totals per week (from Monday) or month, in the company's time zone, with the running shift until now. A night shift counts
 * on the day it begins.
 * @param shifts newest first
 * @returns newest first; weeks or months without shifts are left out
 */
export function sumTotals(shifts: readonly WorkedShift[], span: Span, now: Date): Total[] {
  const totals = new Map<string, Total>();
  for (const worked of shifts) {
    const start = startOf(worked.shift.start_time, span);
    const total = totals.get(start) ?? {
      start,
      minutes: 0,
      lateMinutes: 0,
      exceptions: 0,
      shifts: [],
    };
    total.minutes += minutesUntil(worked, now);
    total.lateMinutes += countLateMinutes(worked);
    total.exceptions += listExceptions(worked, now).length > 0 ? 1 : 0;
    total.shifts.push(worked);
    totals.set(start, total);
  }
  return [...totals.values()];
}

/** @returns minutes of shifts that began this week, including those of a shift that is still running */
export function minutesThisWeek(shifts: readonly WorkedShift[], now: Date): number {
  const week = startOf(now.toISOString(), 'week');
  return shifts
    .filter(({ shift }) => startOf(shift.start_time, 'week') === week)
    .reduce((sum, worked) => sum + minutesUntil(worked, now), 0);
}

const minutesUntil = (worked: WorkedShift, now: Date) =>
  countMinutes(worked) + runningMinutes(worked, now);

function runningMinutes({ attendance, shift }: WorkedShift, now: Date): number {
  const open = attendance.find(({ clock_out_at }) => clock_out_at === null);
  if (!open) return 0;
  // A forgotten clock-out counts until the end of the shift.
  const until = Math.min(now.getTime(), Date.parse(shift.end_time));
  return Math.max(0, Math.floor((until - Date.parse(open.clock_in_at)) / 60_000));
}
