// Days and hours of shifts: days begin in the company's zone, hours are those of the clock on the site's wall.
import { addDays, format, parseISO, startOfISOWeek } from 'date-fns';
import { company } from '#company';
import { cityOf, fromLocalInput, today, toLocalInput } from '#web/lib/format/dates.ts';
import { wallClock } from '#web/lib/format/wall-clock.ts';

type Times = { start_time: string; end_time: string; timezone: string };

/** @param day yyyy-MM-dd @returns the day so many days later */
export function dayAfter(day: string, days: number): string {
  return format(addDays(parseISO(day), days), 'yyyy-MM-dd');
}

/** @returns the Monday of the week of a day, yyyy-MM-dd */
export function mondayOf(day: string): string {
  return format(startOfISOWeek(parseISO(day)), 'yyyy-MM-dd');
}

/** @returns the seven days from this one on */
export function weekFrom(monday: string): string[] {
  return Array.from({ length: 7 }, (_, index) => dayAfter(monday, index));
}

function instantOf(day: string, time: string, zone: string): string {
  const instant = fromLocalInput(`${day}T${time}`, zone);
  if (instant === undefined) throw new RangeError(`${day} ${time} is no date and time.`);
  return instant;
}

/**
 * @param day yyyy-MM-dd in the company's zone
 * @returns when it begins, ISO 8601 in UTC
 */
export function beginOf(day: string): string {
  return instantOf(day, '00:00', company.timeZone);
}

/** @param day yyyy-MM-dd @returns for example "Sat, Nov 21" */
export function formatDayOfWeek(day: string): string {
  return format(parseISO(day), 'EEE, MMM d');
}

/** @returns for example "6 PM - 6 AM", by the site's clock; minutes only where there are any */
export function formatShortHours({ start_time, end_time, timezone }: Times): string {
  const hour = (instant: string) => {
    const date = wallClock(instant, timezone);
    return format(date, date.getMinutes() === 0 ? 'h a' : 'h:mm a');
  };
  return `${hour(start_time)} - ${hour(end_time)}`;
}

/** @returns the site's city where its clock is not the company's, for example "Lagos time" */
export function foreignZone(timezone: string): string | undefined {
  return timezone === company.timeZone ? undefined : `${cityOf(timezone)} time`;
}

/** @returns for example "6:00 PM - 6:00 AM", by the site's clock */
export function formatHours({ start_time, end_time, timezone }: Times): string {
  const hour = (instant: string) => format(wallClock(instant, timezone), 'h:mm a');
  return `${hour(start_time)} - ${hour(end_time)}`;
}

/** @returns whether the shift has started and is not over, by this device's clock */
export function isRunning({
  start_time,
  end_time,
}: Pick<Times, 'start_time' | 'end_time'>): boolean {
  return Date.parse(start_time) <= Date.now() && Date.now() < Date.parse(end_time);
}

/** @returns for example "Nov 21, 6:00 PM - Nov 22, 6:00 AM", by the site's clock; one date where both are of one day */
export function formatShift(shift: Times): string {
  const { start_time, end_time, timezone } = shift;
  const year = Number(today().slice(0, 4));
  const at = (instant: string, hours: string) => {
    const date = wallClock(instant, timezone);
    return format(date, `${date.getFullYear() === year ? 'MMM d' : 'MMM d, yyyy'}, ${hours}`);
  };
  const isOneDay =
    toLocalInput(start_time, timezone).slice(0, 10) ===
    toLocalInput(end_time, timezone).slice(0, 10);
  return isOneDay
    ? `${at(start_time, '')}${formatHours(shift)}`
    : `${at(start_time, 'h:mm a')} - ${at(end_time, 'h:mm a')}`;
}

/** What a form holds of a shift's times: yyyy-MM-dd and HH:mm, by the site's clock. */
type WallTimes = {
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
};

export function wallTimesOf({ start_time, end_time, timezone }: Times): WallTimes {
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
 * @param zone of the site, an IANA name
 * @returns the instants, ISO 8601 in UTC
 * @throws RangeError for times that have not passed the form's rules
 */
export function instantsOf(times: WallTimes, zone: string) {
  return {
    start_time: instantOf(times.start_date, times.start_time, zone),
    end_time: instantOf(times.end_date, times.end_time, zone),
  };
}

/**
 * The day on which a shift ends that is shorter than a day: an end that is not later by the clock is on the next morning.
 * @returns yyyy-MM-dd; empty while it can't be known
 */
export function endDateOf({
  start_date,
  start_time,
  end_time,
}: Omit<WallTimes, 'end_date'>): string {
  if (!start_date || !start_time || !end_time) return start_date;
  return end_time > start_time ? start_date : dayAfter(start_date, 1);
}
