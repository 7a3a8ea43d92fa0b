import { expect, it } from 'vitest';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { leavingSchema } from './schema.ts';

const messageOf = (last_day: string) =>
  leavingSchema.safeParse({ last_day, reason: '' }).error?.issues[0]?.message;

it('an employment ends today or earlier', () => {
  expect(messageOf(today())).toBeUndefined();
  expect(messageOf(dayAfter(today(), -3))).toBeUndefined();
  expect(messageOf(dayAfter(today(), 1))).toBe('The last day is today or earlier');
});
