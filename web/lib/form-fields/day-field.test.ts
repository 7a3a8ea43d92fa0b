import { expect, test } from 'vitest';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { bookDayField } from './day-field.ts';

const problem = (day: string, ahead?: number) =>
  bookDayField('Date is required', 'Date', ahead).safeParse(day).error?.issues[0]?.message;

test('a day of money is neither before the first day of the books nor in the future', () => {
  expect(problem('')).toBe('Date is required');
  expect(problem('2020-12-31')).toBe("Date can't be before Jan 1, 2021");
  expect(problem('2021-01-01')).toBeUndefined();
  expect(problem(today())).toBeUndefined();
  expect(problem(dayAfter(today(), 1))).toBe("Date can't be in the future");
  expect(problem(dayAfter(today(), 31), 31)).toBeUndefined();
  expect(problem('2199-01-01', 31)).toMatch(/^Date can't be after /);
});
