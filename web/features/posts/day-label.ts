import { dayAfter, formatDayOfWeek } from '#web/lib/format/days.ts';

/** @param day of the cycle, from 0 @returns for example "Day 1, Sat, Nov 21": when the cycle is first on that day */
export const dayLabel = (from: string, day: number): string =>
  `Day ${day + 1}${from === '' ? '' : `, ${formatDayOfWeek(dayAfter(from, day))}`}`;
