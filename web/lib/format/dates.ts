// Dates and times as shown: in the company's time zone or a site's, never the browser's.

import { addDays, differenceInMinutes, format, parseISO, startOfDay } from 'date-fns';
import { company } from '#company';
import { serverNow } from '../clock/server-now.ts';
import {
  dayWithin,
  isoDay,
  isoMinute,
  longDate,
  monthAndDay,
  monthAndYear,
  shortDate,
  timeOfDay,
  weekdayAndDay,
} from './date-patterns.ts';
import { calendarDay, toInstant, wallClock } from './wall-clock.ts';

/** @param zone IANA name @returns its city, for hints such as "Lagos time" */
export function readCity(zone: string): string {
  return (zone.split('/').at(-1) ?? '').replaceAll('_', ' ');
}

/** @returns for example "Lagos time"; undefined when it is the company's time zone */
export function foreignZone(zone: string): string | undefined {
  return zone === company.timeZone ? undefined : `${readCity(zone)} time`;
}

export const zoneName = readCity(company.timeZone);

/** @param instant ISO 8601 with offset @returns for example "November 21st, 2026 at 6:00 PM" */
export function formatLongDateTime(instant: string): string {
  const date = wallClock(instant, company.timeZone);
  return `${longDate(date)} at ${timeOfDay(date)}`;
}

/**
 * @param instant ISO 8601 with offset
 * @param zone IANA name, for times that show in their site's zone
 * @returns for example "Nov 21, 6:00 PM"; with the year unless it is the current one
 */
export function formatDateTime(instant: string, zone: string = company.timeZone): string {
  const date = wallClock(instant, zone);
  const now = wallClock(serverNow(), zone);
  return `${dayWithin(date, now.getFullYear())}, ${timeOfDay(date)}`;
}

/** @param zone IANA, the company's unless given @returns the time of day, for example "6:00 PM" */
export function formatTime(instant: string, zone: string = company.timeZone): string {
  return timeOfDay(wallClock(instant, zone));
}

/**
 * @param start ISO 8601 with offset
 * @param end the same
 * @param zone IANA name
 * @returns for example "Nov 21, 6:00 AM - 6:00 PM"; with the end's day if it differs
 */
export function formatTimeRange(start: string, end: string, zone: string): string {
  const [first, last] = [wallClock(start, zone), wallClock(end, zone)];
  const isSameDay = shortDate(first) === shortDate(last);
  const ending = isSameDay ? timeOfDay(last) : `${monthAndDay(last)}, ${timeOfDay(last)}`;
  return `${monthAndDay(first)}, ${timeOfDay(first)} - ${ending}`;
}

/** @param day yyyy-MM-dd @returns for example "Nov 21, 2026" */
export function formatDay(day: string): string {
  return shortDate(calendarDay(day));
}

/** @param day yyyy-MM-dd @returns for example "Nov 21" */
export function formatDayShort(day: string): string {
  return monthAndDay(calendarDay(day));
}

/** @param zone IANA @returns for example "Sat, Nov 21" */
export function formatWeekday(instant: string, zone: string): string {
  return weekdayAndDay(wallClock(instant, zone));
}

/** @param day yyyy-MM-dd @returns for example "Saturday, November 21, 2026" */
export function formatLongDay(day: string): string {
  return format(parseISO(day), 'EEEE, MMMM d, yyyy');
}

/** @param instant ISO 8601 with offset @returns its day, for example "Nov 21, 2026" */
export function formatInstantDay(instant: string): string {
  return shortDate(wallClock(instant, company.timeZone));
}

/** @param instant ISO 8601 with offset @returns its hour, for example "6 AM" */
export function formatHour(instant: string): string {
  return format(wallClock(instant, company.timeZone), 'h a');
}

/** @param time of a day in the database, for example "20:00:00" @returns for example "8:00 PM" */
export function formatClock(time: string): string {
  return timeOfDay(parseISO(`2000-01-01T${time}`));
}

/** @returns both days, or the one that is known or that both are: "Nov 9 - Nov 15, 2026" */
export function formatPeriod(start: string | null, end: string | null): string {
  if (start !== null && start === end) return formatDay(start);
  if (start && end && start.slice(0, 4) === end.slice(0, 4)) {
    return `${formatDayShort(start)} - ${formatDay(end)}`;
  }
  return [start, end]
    .filter((day) => day !== null)
    .map(formatDay)
    .join(' - ');
}

/** @returns the months of a period, for example "Jul - Sep 2026" or "Sep 2026" */
export function formatMonths(start: string, end: string): string {
  const first = monthAndYear(calendarDay(start));
  const last = monthAndYear(calendarDay(end));
  if (first === last) return last;
  const isSameYear = start.slice(0, 4) === end.slice(0, 4);
  return `${isSameYear ? first.slice(0, 3) : first} - ${last}`;
}

/** @param day yyyy-MM-dd @returns the last day of its month, yyyy-MM-dd */
export function endOfMonth(day: string): string {
  const date = calendarDay(day);
  date.setMonth(date.getMonth() + 1, 0);
  return isoDay(date);
}

/** @returns the month if the period is a whole one, otherwise its days */
export function formatPayPeriod(start: string, end: string): string {
  return start.endsWith('-01') && end === endOfMonth(start)
    ? formatMonths(start, end)
    : formatPeriod(start, end);
}

/** @returns today in the company's zone, yyyy-MM-dd */
export function today(): string {
  return isoDay(wallClock(serverNow(), company.timeZone));
}

/** @param instant ISO 8601 with offset @returns its day in the company's zone, yyyy-MM-dd */
export function toDay(instant: string): string {
  return isoDay(wallClock(instant, company.timeZone));
}

/** @param months relative to the current one: -1 is last month @returns its start in the company's zone, ISO 8601 in UTC */
export function startOfMonth(months: number): string {
  const now = wallClock(serverNow(), company.timeZone);
  const first = Date.UTC(now.getFullYear(), now.getMonth() + months, 1);
  return toInstant(first, company.timeZone);
}

/** @returns start of today in the company's zone, ISO 8601 in UTC */
export function startOfToday(): string {
  const day = startOfDay(wallClock(serverNow(), company.timeZone));
  return toInstant(day.getTime(), company.timeZone);
}

/** @returns start of tomorrow in the company's zone, ISO 8601 in UTC */
export function startOfTomorrow(): string {
  const day = startOfDay(wallClock(serverNow(), company.timeZone));
  return toInstant(addDays(day, 1).getTime(), company.timeZone);
}

/** @returns hours and minutes, for example "12 h" or "7 h 30 min" */
export function formatMinutes(minutes: number): string {
  const parts = [`${Math.floor(minutes / 60)} h`, `${minutes % 60} min`];
  return parts.filter((part) => !part.startsWith('0 ')).join(' ') || '0 min';
}

/** @returns hours and minutes between two instants, for example "12 h" or "7 h 30 min" */
export function formatDuration(start: string, end: string): string {
  return formatMinutes(differenceInMinutes(end, start));
}

/**
 * @param instant ISO 8601 with offset
 * @param zone IANA name; the company's by default
 * @returns the value of a datetime-local input
 */
export function toLocalInput(instant: string, zone: string = company.timeZone): string {
  return isoMinute(wallClock(instant, zone));
}

/** @returns for example "2026-11-21 18:00", which spreadsheets read as a date and time */
export function formatCsvTime(instant: string, zone?: string): string {
  return toLocalInput(instant, zone).replace('T', ' ');
}

const LOCAL_INPUT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2})?$/;

/**
 * @param value of a datetime-local input
 * @param zone of the value, an IANA name; the company's by default
 * @returns the instant in UTC, ISO 8601; undefined if the value is invalid
 */
export function fromLocalInput(value: string, zone: string = company.timeZone): string | undefined {
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0] = (
    LOCAL_INPUT.exec(value) ?? []
  ).map(Number);
  if (year === 0) return undefined;
  const instant = toInstant(Date.UTC(year, month - 1, day, hour, minute), zone);
  // Otherwise February 31 would become March 3, and hour 25 the next day.
  return toLocalInput(instant, zone) === value.slice(0, 16) ? instant : undefined;
}
