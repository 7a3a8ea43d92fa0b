// Times of shifts are shown in the site's time zone.
import { dayWithin, shortDate, timeOfDay } from '#web/lib/format/date-patterns.ts';
import { formatTime, today, toLocalInput } from '#web/lib/format/dates.ts';
import { dayAfter, toInstant } from '#web/lib/format/days.ts';
import { wallClock } from '#web/lib/format/wall-clock.ts';

type Times = { start_time: string; end_time: string; timezone: string };

/** @returns for example "6 PM - 6 AM" in site time; minutes only if not zero */
export function formatShortHours({ start_time, end_time, timezone }: Times): string {
  const hour = (instant: string) => formatTime(instant, timezone).replace(':00', '');
  return `${hour(start_time)} - ${hour(end_time)}`;
}

/** By the device's clock. */
export function isRunning({
  start_time,
  end_time,
}: Pick<Times, 'start_time' | 'end_time'>): boolean {
  return Date.parse(start_time) <= Date.now() && Date.now() < Date.parse(end_time);
}

/** @returns for example "Nov 21, 6:00 PM - Nov 22, 6:00 AM" in site time; the date once if start and end are on the same day */
export function formatShift(shift: Times): string {
  const { start_time, end_time, timezone } = shift;
  const [start, end] = [wallClock(start_time, timezone), wallClock(end_time, timezone)];
  const year = Number(today().slice(0, 4));
  const isOneDay = shortDate(start) === shortDate(end);
  const ending = isOneDay ? timeOfDay(end) : `${dayWithin(end, year)}, ${timeOfDay(end)}`;
  return `${dayWithin(start, year)}, ${timeOfDay(start)} - ${ending}`;
}

/** Form values of a shift's times: yyyy-MM-dd and HH:mm in site time. */
type WallTimes = {
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
};

export function toWallTimes({ start_time, end_time, timezone }: Times): WallTimes {
  const start = toLocalInput(start_time, timezone);
  const end = toLocalInput(end_time, timezone);
  return {
    start_date: start.slice(0, 10),
    start_time: start.slice(11),
    end_date: end.slice(0, 10),
    end_time: end.slice(11),
  };
}

/**
 * @param zone IANA zone of the site
 * @returns ISO 8601 in UTC
 * @throws RangeError for times that the form schema rejects
 */
export function toInstants(times: WallTimes, zone: string) {
  return {
    start_time: toInstant(times.start_date, times.start_time, zone),
    end_time: toInstant(times.end_date, times.end_time, zone),
  };
}

/**
 * The end date of a shift shorter than 24 hours: an end time that is not after the start time is on the next day.
 * @returns yyyy-MM-dd; the start date while a time is missing
 */
export function findEndDate({
  start_date,
  start_time,
  end_time,
}: Omit<WallTimes, 'end_date'>): string {
  if (!start_date || !start_time || !end_time) return start_date;
  return end_time > start_time ? start_date : dayAfter(start_date, 1);
}
