// Days (yyyy-MM-dd) of rosters and lists of shifts. A day begins at midnight in the company's time zone.
import { company } from '#company';
import { isoDay, weekdayAndDay } from './date-patterns.ts';
import { fromLocalInput } from './dates.ts';
import { calendarDay } from './wall-clock.ts';

/** @param day yyyy-MM-dd @returns yyyy-MM-dd */
export function dayAfter(day: string, days: number): string {
  const date = calendarDay(day);
  date.setDate(date.getDate() + days);
  return isoDay(date);
}

/** @param day yyyy-MM-dd @returns the Monday of its week, yyyy-MM-dd */
export function findMonday(day: string): string {
  return dayAfter(day, -((calendarDay(day).getDay() + 6) % 7));
}

/** @param weeks one unless given @returns each day, yyyy-MM-dd */
export function daysOfWeek(monday: string, weeks = 1): string[] {
  return Array.from({ length: 7 * weeks }, (_, index) => dayAfter(monday, index));
}

/** @param zone IANA name @returns ISO 8601 in UTC @throws RangeError for times that a form's schema rejects */
export function toInstant(day: string, time: string, zone: string): string {
  const instant = fromLocalInput(`${day}T${time}`, zone);
  if (instant === undefined) throw new RangeError(`${day} ${time} is not a valid date and time.`);
  return instant;
}

/**
 * @param day yyyy-MM-dd in the company's zone
 * @returns its midnight, ISO 8601 in UTC
 */
export function startOfDay(day: string): string {
  return toInstant(day, '00:00', company.timeZone);
}

/** @param day yyyy-MM-dd @returns for example "Sat, Nov 21" */
export function formatDayOfWeek(day: string): string {
  return weekdayAndDay(calendarDay(day));
}
