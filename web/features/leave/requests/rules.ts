import { addMonths, eachDayOfInterval, endOfMonth, format, parseISO, startOfMonth } from 'date-fns';

type Period = { start_date: string; end_date: string };

/** @param month yyyy-MM @returns every day of it, yyyy-MM-dd */
export function daysOfMonth(month: string): string[] {
  const first = startOfMonth(parseISO(`${month}-01`));
  return eachDayOfInterval({ start: first, end: endOfMonth(first) }).map((day) =>
    format(day, 'yyyy-MM-dd'),
  );
}

/** @param month yyyy-MM @param step months forward, or back if negative @returns yyyy-MM */
export function addToMonth(month: string, step: number): string {
  return format(addMonths(parseISO(`${month}-01`), step), 'yyyy-MM');
}

/** @param day yyyy-MM-dd */
export function filterAwayOn<Row extends Period>(rows: readonly Row[], day: string): Row[] {
  return rows.filter(({ start_date, end_date }) => start_date <= day && day <= end_date);
}

/** @returns the shifts that have not ended, to which another guard can still be assigned */
export function filterUpcoming<Shift extends { end_time: string }>(shifts: Shift[]): Shift[] {
  return shifts.filter(({ end_time }) => Date.parse(end_time) > Date.now());
}
