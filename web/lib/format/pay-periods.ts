// The periods of timesheets, as the address names them. private.pay_period makes the same ones.
import { differenceInCalendarDays, parseISO } from 'date-fns';
import { endOfMonth } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';

export const FREQUENCIES = ['monthly', 'bi-weekly', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A Monday on which a fortnight begins. */
const FIRST_FORTNIGHT = '2026-01-05';

/** First and last day, yyyy-MM-dd. */
export type Period = { start: string; end: string };

/** @returns the period that contains the day */
export function findPeriod(frequency: Frequency, day: string): Period {
  if (frequency === 'monthly') {
    return { start: `${day.slice(0, 7)}-01`, end: endOfMonth(day) };
  }
  const monday = findMonday(day);
  if (frequency === 'weekly') return { start: monday, end: dayAfter(monday, 6) };
  const days = differenceInCalendarDays(parseISO(monday), parseISO(FIRST_FORTNIGHT));
  const start = days % 14 === 0 ? monday : dayAfter(monday, -7);
  return { start, end: dayAfter(start, 13) };
}

/** @returns the first day of the period before or after the one that contains the day */
export function stepPeriod(frequency: Frequency, day: string, step: -1 | 1): string {
  const { start, end } = findPeriod(frequency, day);
  return findPeriod(frequency, step === 1 ? dayAfter(end, 1) : dayAfter(start, -1)).start;
}

/** Step of Previous and Next. */
export const PERIOD_UNITS: Record<Frequency, string> = {
  monthly: 'month',
  'bi-weekly': 'fortnight',
  weekly: 'week',
};
