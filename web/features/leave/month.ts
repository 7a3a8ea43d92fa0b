// The days of a month, and who is away on each.
import { addMonths, eachDayOfInterval, endOfMonth, format, parseISO, startOfMonth } from 'date-fns';

type Period = { start_date: string; end_date: string };

const day = (date: Date): string => format(date, 'yyyy-MM-dd');

/** @param month yyyy-MM @returns every day of it, yyyy-MM-dd */
export function daysOfMonth(month: string): string[] {
  const first = startOfMonth(parseISO(`${month}-01`));
  return eachDayOfInterval({ start: first, end: endOfMonth(first) }).map(day);
}

/** @param month yyyy-MM @param step months ahead, or back when negative @returns yyyy-MM */
export function monthAfter(month: string, step: number): string {
  return format(addMonths(parseISO(`${month}-01`), step), 'yyyy-MM');
}

/** @returns those whose period holds the day, yyyy-MM-dd */
export function awayOn<Row extends Period>(rows: readonly Row[], on: string): Row[] {
  return rows.filter(({ start_date, end_date }) => start_date <= on && on <= end_date);
}
