// Pay by the hour and by the shift. March 2032 begins on a Monday.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { hoursOn, type PayStory, payStory } from '#tests/support/pay-story.ts';
import { guardElsewhere, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `truncate staff cascade; truncate timesheets cascade; delete from notices;
    delete from pay_rates where effective_from > '2026-01-01'`,
  );
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

describe('an hourly wage', () => {
  test('pays every class at its multiple, with grace and paid leave', () =>
    story(async ({ hire, hours, calculate, lines }) => {
      const staff = await hire(guardHere, { pay_basis: 'hourly', salary_amount: 1.25 });
      await hours(
        guardHere,
        [
          ...hoursOn([1, 2, 3], 'regular', 600),
          ...hoursOn([4], 'overtime_1', 90),
          ...hoursOn([5], 'holiday', 61),
          ...hoursOn([6], 'leave_paid', 480),
          ...hoursOn([7], 'unpaid', 60),
        ],
        { days: { day: '2032-03-01', credited_minutes: 5 } },
      );
      expect((await lines(await calculate(), staff)).slice(0, 5)).toEqual([
        ['regular', '30', '37.50'],
        ['regular', '0.0833', '0.10'],
        ['overtime_1', '1.5', '2.81'],
        ['holiday', '1.0167', '2.54'],
        ['leave_paid', '8', '10.00'],
      ]);
    }));

  test('pays a shift of the last day to its end, after midnight too, and nothing that begins later', () =>
    story(async ({ hire, hours, calculate, lines }) => {
      const leaving = { pay_basis: 'hourly', salary_amount: 1.25, status: 'inactive' };
      const staff = await hire(guardHere, { ...leaving, end_date: '2032-03-10' });
      const night = '00000000-0000-4000-8000-00000000aaaa';
      await hours(guardHere, [
        [10, 'regular', 360, { attendance: night }],
        [11, 'regular', 300, { attendance: night }],
        [11, 'regular', 60],
      ]);
      expect((await lines(await calculate(), staff))[0]).toEqual(['regular', '11', '13.75']);
    }));

  test('pays the hours after the last midnight of a period in the next one', () =>
    story(async ({ hire, hours, calculate, lines }) => {
      const leaving = { pay_basis: 'hourly', salary_amount: 1.25, status: 'inactive' };
      const staff = await hire(guardHere, { ...leaving, end_date: '2032-03-31' });
      const salaried = await hire(guardElsewhere, { status: 'inactive', end_date: '2032-03-31' });
      for (const [person, night] of [
        [guardHere, '00000000-0000-4000-8000-00000000aaaa'],
        [guardElsewhere, '00000000-0000-4000-8000-00000000bbbb'],
      ] as const) {
        await hours(person, [[31, 'regular', 360, { attendance: night }]]);
        await hours(
          person,
          [
            [1, 'regular', 300, { attendance: night }],
            [1, 'overtime_1', 60, { attendance: night }],
            [2, 'regular', 60],
          ],
          { month: 4 },
        );
      }
      expect((await lines(await calculate(), staff))[0]).toEqual(['regular', '6', '7.50']);
      const april = await calculate('2032-04-15');
      expect((await lines(april, staff)).slice(0, 2)).toEqual([
        ['regular', '5', '6.25'],
        ['overtime_1', '1', '1.88'],
      ]);
      // The salary of March has the regular hours.
      expect((await lines(april, salaried))[0]).toEqual(['overtime_1', '1', '1.03']);
    }));

  test('pays nothing without hours', () =>
    story(async ({ hire, calculate, slip }) => {
      const staff = await hire(guardHere, { pay_basis: 'hourly', salary_amount: 1.25 });
      expect(await slip(await calculate(), staff)).toEqual({});
    }));
});

test('pay by shift counts shifts that began in the period; overtime adds the part above one of the average hour', () =>
  story(async ({ hire, hours, owner, calculate, lines }) => {
    const staff = await hire(guardHere, { pay_basis: 'shift', salary_amount: 12 });
    const night = '00000000-0000-4000-8000-00000000aaaa';
    // The first shift began in February.
    await hours(guardHere, [[29, 'regular', 120, { attendance: night }]], { month: 2 });
    await hours(guardHere, [
      [1, 'regular', 240, { attendance: night }],
      ...hoursOn([2, 3], 'regular', 720),
      ...hoursOn([4], 'overtime_1', 720),
      ...hoursOn([6], 'leave_paid', 480),
    ]);
    await owner(
      `update time_segments set ends_at = starts_at + interval '2 h' where attendance_id = $1 and day = '2032-02-29'`,
      [night],
    );
    // 3 shifts x 12 over 40 h are 0.9 an hour; half of it for 12 h.
    expect((await lines(await calculate(), staff)).slice(0, 3)).toEqual([
      ['regular', '3', '36.00'],
      ['overtime_1', '12', '5.40'],
      ['leave_paid', '1', '12.00'],
    ]);
  }));
