// Corrections of earlier periods reach their person, once; and what is counted in a payslip counts once.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
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
  ])('reaches a person who %s, in the currency and group of their pay', (_, columns) =>
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

describe('a correction of a closed month', () => {
  test('shows both figures, is decided by someone else and paid once, by the next run', () =>
    story(async ({ hire, hours, owner, as, refused, calculate, lock, lines }) => {
      const staff = await hire(guardHere);
      await hours(guardHere, [[5, 'overtime_1', 600]]);
      const march = await calculate();
      await lock(march);
      await owner('update pay_bases set amount = 286');
      const propose = () => as(finance, 'select propose_corrections($1) as count', [march]);
      expect(await propose()).toEqual([{ count: 1 }]);
      expect(await propose()).toEqual([{ count: 0 }]);
      const [found] = await owner(
        'select id, figure_before, figure_after, amount, status from pay_adjustments',
      );
      expect(found).toMatchObject({
        figure_before: '153.31',
        figure_after: '306.63',
        amount: '153.32',
        status: 'to_decide',
      });
      const paid = async (month: string) =>
        (await lines(await calculate(month), staff)).filter(([kind]) => kind === 'adjustment');
      expect(await paid('2032-04-01')).toEqual([]);
      await as(admin, 'select decide_adjustment($1, true)', [found?.id]);
      expect(await paid('2032-04-01')).toEqual([['adjustment', '1', '153.32']]);
      const [line] = await owner(`select explanation from payslip_lines where kind = 'adjustment'`);
      expect(line?.explanation).toContain('Paid US$153.31, recomputed US$306.63.');
      await lock(await calculate('2032-04-01'));
      expect(await paid('2032-05-01')).toEqual([]);
      expect(await refused(admin, 'select decide_adjustment($1, false)', [found?.id])).toContain(
        'A run has paid',
      );
    }));

  test('entered by hand is decided by someone else, and is taken as far as the pay allows', () =>
    story(async ({ hire, as, refused, calculate, lines, owner }) => {
      const staff = await hire(guardHere);
      const [{ id } = {}] = await as(
        finance,
        `select add_adjustment($1, '2032-02-01', '2032-02-29', -150, 'USD', 'Paid twice') as id`,
        [staff],
      );
      expect(await refused(finance, 'select decide_adjustment($1, true)', [id])).toContain(
        'Someone else',
      );
      await as(admin, 'select decide_adjustment($1, true)', [id]);
      const run = await calculate();
      expect(await lines(run, staff)).toContainEqual(['adjustment', '1', '-143.00']);
      const [{ problems } = {}] = await owner('select problems from pay_runs where id = $1', [run]);
      expect(problems).toMatchObject([{ code: 'adjustment_waits' }]);
    }));

  test('and the month itself equal the month computed again, for many changes', () =>
    story(async ({ hire, hours, owner, as, calculate, lock }) => {
      const staff = await hire(guardHere);
      await hours(guardHere, [
        [1, 'regular', 477],
        [5, 'overtime_1', 613],
        [12, 'holiday', 301],
        [20, 'leave_unpaid', 333],
      ]);
      const march = await calculate();
      await lock(march);
      let seed = 7;
      for (let round = 0; round < 12; round += 1) {
        seed = (seed * 48271) % 2147483647;
        await owner('update pay_bases set amount = $1', [(10000 + (seed % 30000)) / 100]);
        await owner(
          `insert into pay_bases (staff_id, effective_from, amount) values ($1, $2, $3)
           on conflict on constraint pay_bases_one_a_day do update set amount = excluded.amount`,
          [staff, `2032-03-${String((seed % 27) + 2).padStart(2, '0')}`, (seed % 20000) / 100 + 50],
        );
        await as(finance, 'select propose_corrections($1)', [march]);
        const [sums] = await owner(
          `select (select sum(amount) from payslip_lines where kind in ('salary', 'regular', 'overtime_1', 'holiday', 'leave_unpaid', 'absence'))
             + (select sum(amount) from pay_adjustments) as paid,
             (select sum(amount) from private.earning_lines('monthly', 'USD', '2032-03-01', '2032-03-31')) as recomputed`,
        );
        expect(sums?.paid, `round ${round}`).toBe(sums?.recomputed);
      }
    }));
});
