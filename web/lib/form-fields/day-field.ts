import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';

/** Value of a date input, yyyy-MM-dd. */
export function dayField(required: string) {
  return z.string().min(1, required);
}

/** A day of money, within the limits of the database. @param ahead how many days it may lie in the future */
export function bookDayField(required: string, name: string, ahead = 0) {
  return dayField(required).superRefine((day, context) => {
    if (day === '') return;
    const last = dayAfter(today(), ahead);
    const message =
      day < limits.FIRST_BOOK_DAY
        ? `${name} can't be before ${formatDay(limits.FIRST_BOOK_DAY)}`
        : day > last &&
          (ahead === 0
            ? `${name} can't be in the future`
            : `${name} can't be after ${formatDay(last)}`);
    if (message) context.addIssue({ code: 'custom', message });
  });
}

export const optionalDayField = z.string();

/** Whether the end is not before the start, or one of them is empty. Days as yyyy-MM-dd compare as text. */
export function isInOrder(start: string, end: string): boolean {
  return start === '' || end === '' || end >= start;
}
