import { addDays, format } from 'date-fns';
import { wallClock } from '#web/lib/format/wall-clock.ts';
import type { GuardShift } from './api.ts';

export type ShiftDay = {
  /** First day of its shifts at their site, yyyy-MM-dd. */
  day: string;
  /** For example "Today, Saturday, Nov 21". */
  title: string;
  isToday: boolean;
  shifts: GuardShift[];
};

type Hours = Pick<GuardShift['shift'], 'start_time' | 'end_time'> & { site: { timezone: string } };

/** @returns for example "6:00 AM - 6:00 PM", with the weekday of the end if it is another day: "6:00 PM - Sun 6:00 AM" */
export function formatHours({ start_time, end_time, site }: Hours): string {
  const start = wallClock(start_time, site.timezone);
  const end = wallClock(end_time, site.timezone);
  const isSameDay = format(start, 'yyyy-MM-dd') === format(end, 'yyyy-MM-dd');
  return `${format(start, 'h:mm a')} - ${format(end, isSameDay ? 'h:mm a' : 'EEE h:mm a')}`;
}

/**
 * @param shifts soonest first
 * @param now milliseconds since 1970
 */
export function shiftDays(shifts: readonly GuardShift[], now: number): ShiftDay[] {
  const days = new Map<string, ShiftDay>();
  for (const assigned of shifts) {
    const { timezone } = assigned.shift.site;
    const start = wallClock(assigned.shift.start_time, timezone);
    const today = wallClock(now, timezone);
    const day = format(start, 'yyyy-MM-dd');
    const isToday = day === format(today, 'yyyy-MM-dd');
    const isTomorrow = day === format(addDays(today, 1), 'yyyy-MM-dd');
    const prefix = isToday ? 'Today, ' : isTomorrow ? 'Tomorrow, ' : '';
    const known = days.get(day) ?? {
      day,
      title: `${prefix}${format(start, 'EEEE, MMM d')}`,
      isToday,
      shifts: [],
    };
    known.shifts.push(assigned);
    days.set(day, known);
  }
  return [...days.values()];
}
