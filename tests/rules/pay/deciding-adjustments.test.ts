// Adjustments of pay: many decided at once, found by name, valued before the decision.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardElsewhere, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query('truncate staff, pay_runs, timesheets cascade; delete from notices');
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

/** Adjustments of US$ 5 and 7 that finance has entered. @returns their ids */
async function entered({ hire, as }: PayStory) {
  const people = [await hire(guardHere), await hire(guardElsewhere)];
  const ids: unknown[] = [];
  for (const [index, staff] of people.entries()) {
    const [row] = await as(
      finance,
      `select add_adjustment($1, '2032-02-01', '2032-02-29', $2, 'USD', 'Forgotten shift') as id`,
      [staff, 5 + 2 * index],
    );
    ids.push(row?.id);
  }
  return ids;
}

const statuses = ({ owner }: PayStory) =>
  owner('select status, note from pay_adjustments order by amount');

test('many are approved at once, with one note, and the next run pays them', () =>
  story(async (told) => {
    const ids = await entered(told);
    const decide = 'select decide_adjustments($1, $2, $3) as count';
    expect(await told.as(admin, decide, [ids, true, 'Checked with the site'])).toEqual([
      { count: 2 },
    ]);
    expect(await statuses(told)).toEqual([
      { status: 'approved', note: 'Checked with the site' },
      { status: 'approved', note: 'Checked with the site' },
    ]);
    await told.calculate();
    expect(
      await told.owner(`select amount from payslip_lines where kind = 'adjustment' order by 1`),
    ).toEqual([{ amount: '5.00' }, { amount: '7.00' }]);
    await told.as(admin, decide, [ids, false, null]);
    expect(await statuses(told)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  }));

test('one that may not be decided refuses all, by name', () =>
  story(async (told) => {
    const ids = await entered(told);
    const [own] = await told.as(
      admin,
      `select add_adjustment((select staff_id from pay_adjustments limit 1), '2032-02-01', '2032-02-29', 1, 'USD', 'Mine') as id`,
    );
    expect(
      await told.refused(admin, 'select decide_adjustments($1, true)', [[...ids, own?.id]]),
    ).toContain("1 of 3 rows can't be. ");
    expect(await told.refused(admin, 'select decide_adjustments($1, true)', [[own?.id]])).toMatch(
      /: Someone else must decide this adjustment\.$/,
    );
    expect(new Set((await statuses(told)).map(({ status }) => status))).toEqual(
      new Set(['to_decide']),
    );
    expect(await told.refused(admin, `select decide_adjustments('{}', true)`)).toContain(
      'between 1 and 500',
    );
    expect(await told.refused(admin, 'select decide_adjustments($1, null)', [ids])).toContain(
      'Approve or reject',
    );
  }));

test('are closed to everyone but admins and finance', () =>
  story(async (told) => {
    const ids = await entered(told);
    for (const person of [hr, guardHere]) {
      for (const call of ['decide_adjustments($1, true)', 'value_adjustment(($1::uuid[])[1])']) {
        expect(await told.refused(person, `select ${call}`, [ids])).toContain(
          'Only admins and finance',
        );
      }
    }
  }));

test('are found by the name of the person, and have the figures that approving pays', () =>
  story(async (told) => {
    const [id] = await entered(told);
    const found = await told.as(
      finance,
      `select a.id from pay_adjustments a where search_text(a) ilike '%' || $1 || '%'`,
      [guardHere.name],
    );
    expect(found).toEqual([{ id }]);
    expect(await told.as(finance, 'select * from value_adjustment($1)', [id])).toEqual([
      { figure_before: null, figure_after: null, amount: '5.00', currency: 'USD' },
    ]);
    // Late hours of a period that no locked run paid.
    const [late] = await told.owner(
      `insert into pay_adjustments (user_id, kind, period_start, period_end, explanation)
       values ($1, 'late_event', '2032-02-01', '2032-02-29', 'Late') returning id`,
      [guardHere.id],
    );
    expect(await told.as(finance, 'select * from value_adjustment($1)', [late?.id])).toEqual([
      { figure_before: null, figure_after: null, amount: null, currency: null },
    ]);
  }));
