// Corrections of earlier periods reach their person, once; and what is counted in a payslip counts once.
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardHere } from '#tests/support/people.ts';
import { buildScene } from '#tests/support/scene.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await buildScene(database.owner);
  await database.owner.query(
    `truncate staff, pay_runs, timesheets cascade; delete from pay_rates where effective_from > '2026-01-01'`,
  );
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

/** An approved correction of February. @returns its id */
async function correct({ as }: PayStory, staff: string, amount: number): Promise<unknown> {
  const [{ id } = {}] = await as(
    finance,
    `select add_adjustment($1, '2032-02-01', '2032-02-29', $2, 'USD', 'Hours of the flood') as id`,
    [staff, amount],
  );
  await as(admin, 'select decide_adjustment($1, true)', [id]);
  return id;
}

const ofCorrections = (lines: string[][]): string[][] =>
  lines.filter(([kind]) => kind === 'adjustment');

describe('a correction', () => {
  test('that two runs contain is paid by the one that is locked first', () =>
    story(async (story) => {
      const { hire, calculate, lock, lines, as, refused } = story;
      const staff = await hire(guardHere);
      await correct(story, staff, 12);
      const [march, april] = [await calculate(), await calculate('2032-04-01')];
      expect(ofCorrections(await lines(april, staff))).toHaveLength(1);
      await lock(march);
      await as(admin, 'select approve_pay_run($1)', [april]);
      expect(await refused(finance, 'select lock_pay_run($1)', [april])).toBe(
        `Corrections have changed since the calculation: ${guardHere.name}. Return the run and calculate it again.`,
      );
      await as(finance, 'select return_pay_run($1)', [april]);
      await calculate('2032-04-01');
      expect(ofCorrections(await lines(april, staff))).toEqual([]);
      await lock(april);
    }));

  test.each([
    ['rejected', 'select decide_adjustment($1, false)'],
    ['given another amount', `select decide_adjustment($1, true, p_amount => 5)`],
  ])('that was %s after the calculation is not paid as it was', (_, decision) =>
    story(async (story) => {
      const { hire, calculate, as, refused } = story;
      const id = await correct(story, await hire(guardHere), 12);
      const run = await calculate();
      await as(admin, 'select approve_pay_run($1)', [run]);
      await as(admin, decision, [id]);
      expect(await refused(finance, 'select lock_pay_run($1)', [run])).toContain(
        'Corrections have changed',
      );
    }),
  );

  test.each([
    ['has left', { status: 'inactive', end_date: '2032-02-20' }],
    ['has no hours this time', { pay_basis: 'hourly', salary_amount: 1 }],
  ])('reaches somebody who %s, in the currency and group of their pay', (_, columns) =>
    story(async (story) => {
      const { hire, calculate, lines, slip } = story;
      const staff = await hire(guardHere, columns);
      await correct(story, staff, 12);
      expect(await slip(await calculate('2032-03-15', 'weekly'), staff)).toEqual({});
      expect(await slip(await calculate('2032-03-15', 'monthly', 'LRD'), staff)).toEqual({});
      const run = await calculate();
      expect(await lines(run, staff)).toEqual([
        ['adjustment', '1', '12.00'],
        ['nasscorp', '', '-0.48'],
      ]);
    }),
  );
});

describe('a shift', () => {
  const [first, second] = [
    '00000000-0000-4000-8000-0000000000a1',
    '00000000-0000-4000-8000-0000000000a2',
  ];

  test('with two records, because the guard clocked out and in again, counts once', () =>
    story(async ({ hire, hours, owner, calculate, lines }) => {
      const staff = await hire(guardHere, { pay_basis: 'shift', salary_amount: 12 });
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, per, effective_from) values
           ($1, 'allowance', 'Post', 1, 'shift', '2030-01-01'), ($1, 'deduction', 'Bus', 2, 'shift', '2030-01-01')`,
        [staff],
      );
      await hours(guardHere, [
        [2, 'regular', 240, { attendance: first }],
        [2, 'regular', 240, { attendance: second }],
      ]);
      await owner(`update time_segments set shift_id = '00000000-0000-4000-8000-0000000000b1'`);
      const found = await lines(await calculate(), staff);
      expect(found).toContainEqual(['regular', '1', '12.00']);
      expect(found).toContainEqual(['allowance', '1', '1.00']);
      expect(found).toContainEqual(['deduction', '', '-2.00']);
    }));

  test('that began before an allowance did does not count for it', () =>
    story(async ({ hire, hours, owner, calculate, lines }) => {
      const staff = await hire(guardHere);
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, per, effective_from) values ($1, 'allowance', 'Post', 1, 'shift', '2032-03-10')`,
        [staff],
      );
      await hours(guardHere, [
        [9, 'regular', 240, { attendance: first }],
        [10, 'night', 240, { attendance: first }],
        [11, 'regular', 240, { attendance: second }],
      ]);
      expect(await lines(await calculate(), staff)).toContainEqual(['allowance', '1', '1.00']);
    }));

  test('in another currency takes no deduction of this one', () =>
    story(async ({ hire, hours, owner, calculate, lines }) => {
      const staff = await hire(guardHere);
      await owner(
        `insert into pay_bases (staff_id, effective_from, amount, currency) values ($1, '2032-03-11', 31000, 'LRD')`,
        [staff],
      );
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, per, effective_from) values ($1, 'deduction', 'Meals', 1, 'day', '2030-01-01')`,
        [staff],
      );
      await hours(guardHere, [
        [9, 'regular', 240],
        [12, 'regular', 240],
      ]);
      expect(await lines(await calculate(), staff)).toContainEqual(['deduction', '', '-1.00']);
    }));
});

test('work on a holiday beyond the day’s limit does not count again towards the week’s', () =>
  story(async ({ hire, hours, calculate, lines }) => {
    const staff = await hire(guardHere);
    // 12 of 14 hours are within Monday's limit, so on Friday 48 hours are reached after 12.
    await hours(guardHere, [
      [1, 'holiday', 840],
      [2, 'regular', 720],
      [3, 'regular', 720],
      [5, 'holiday', 720],
    ]);
    expect((await lines(await calculate(), staff)).filter(([kind]) => kind === 'holiday')).toEqual([
      ['holiday', '24', '16.50'],
      ['holiday', '2', '2.75'],
    ]);
  }));
