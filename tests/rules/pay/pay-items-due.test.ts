// Severance and thirteenth month: nothing without a rule; proposed, decided by someone else, paid, and taken back.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory, type Row } from '#tests/support/pay-story.ts';
import { admin, finance, guardElsewhere, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    'truncate staff, pay_runs, timesheets cascade; delete from notices; delete from pay_item_rules',
  );
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

/** Two months of pay for each year of service, or one for a year worked, from 2020 on. */
const rule = ({ as }: PayStory, columns: Row = {}) => {
  const row = {
    kind: 'severance',
    effective_from: '2020-01-01',
    months: 2,
    source: 'Contract',
    ...columns,
  };
  const names = Object.keys(row);
  return as(
    finance,
    `insert into pay_item_rules (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  );
};

const thirteenth = (told: PayStory, month: string, columns: Row = {}) =>
  rule(told, {
    kind: 'thirteenth_month',
    months: 1,
    paid_in: Number(month.slice(5, 7)),
    ...columns,
  });

const due = ({ as }: PayStory) =>
  as(finance, 'select kind, amount, currency, taxable, figure_before from pay_items_due()');
const enter = ({ as }: PayStory, kind = 'severance') =>
  as(finance, 'select enter_pay_items($1) as count', [kind]);
const approve = ({ as }: PayStory) =>
  as(
    admin,
    `select decide_adjustments(array_agg(id), true) from pay_adjustments where status = 'to_decide'`,
  );
const paid = ({ owner }: PayStory) =>
  owner(
    `select l.label, l.amount, l.taxable from payslip_lines l join payslips s on s.id = l.payslip_id
     join pay_runs r on r.id = s.pay_run_id and r.status <> 'void' where l.kind = 'adjustment' order by l.amount`,
  );

/** Hired on the first day of 2024; 30 whole months until the end of June 2026. */
const LEFT = { hire_date: '2024-01-01', end_date: '2026-06-30', status: 'inactive' };

describe('severance', () => {
  test('is due by a rule alone, and only after the service that it asks for', () =>
    story(async (told) => {
      await told.hire(guardHere, LEFT);
      await told.hire(guardElsewhere, { hire_date: '2024-01-01' });
      expect(await due(told)).toEqual([]);
      await rule(told, { effective_from: '2026-07-01' });
      expect(await due(told)).toEqual([]);
      await rule(told, { least_service_months: 31 });
      expect(await due(told)).toEqual([]);
      await rule(told, { effective_from: '2026-01-01', least_service_months: 30 });
      // 143 x 2 x 30 / 12
      expect(await due(told)).toEqual([
        {
          kind: 'severance',
          amount: '715.00',
          currency: 'USD',
          taxable: true,
          figure_before: null,
        },
      ]);
    }));

  test('of an hour or a shift counts a month of the regular week', () =>
    story(async (told) => {
      await rule(told, { months: 1 });
      const basis = { ...LEFT, hire_date: '2025-07-01' };
      await told.hire(guardHere, { ...basis, pay_basis: 'hourly', salary_amount: 1 });
      await told.hire(guardElsewhere, { ...basis, pay_basis: 'shift', salary_amount: 10 });
      const amounts = (await due(told)).map(({ amount }) => amount).sort();
      expect(amounts).toEqual(['208.00', '260.00']);
    }));

  test('is entered once, decided by someone else, and paid without tax if the rule says so', () =>
    story(async (told) => {
      await rule(told, { taxable: false });
      await told.hire(guardHere, LEFT);
      expect(await enter(told)).toEqual([{ count: 1 }]);
      expect(await enter(told)).toEqual([{ count: 0 }]);
      expect(await due(told)).toEqual([]);
      expect(
        await told.refused(
          finance,
          `select decide_adjustment(id, true) from pay_adjustments where kind = 'severance'`,
        ),
      ).toContain('Someone else must decide');
      await approve(told);
      const run = await told.calculate();
      await told.lock(run);
      expect(await paid(told)).toEqual([{ label: 'Severance', amount: '715.00', taxable: false }]);
      const [slip] = await told.owner('select taxable, gross from payslips');
      expect(slip).toEqual({ taxable: '0.00', gross: '715.00' });
      expect(await due(told)).toEqual([]);
      // A voided run gives it back to the next.
      await told.as(finance, `select void_pay_run($1, 'Wrong')`, [run]);
      await told.lock(await told.calculate());
      expect(await paid(told)).toEqual([{ label: 'Severance', amount: '715.00', taxable: false }]);
    }));

  test('is entered again when the last day changes, also after it was approved', () =>
    story(async (told) => {
      await rule(told);
      await told.hire(guardHere, LEFT);
      await enter(told);
      await approve(told);
      await told.owner(`update staff set end_date = '2026-07-31'`);
      expect(
        await told.refused(admin, 'select decide_adjustment(id, true) from pay_adjustments'),
      ).toContain('Enter what is due now');
      expect(await due(told)).toMatchObject([{ amount: '738.83' }]);
      await enter(told);
      await approve(told);
      await told.lock(await told.calculate());
      expect(await paid(told)).toMatchObject([{ amount: '738.83' }]);
      // The difference of what was paid.
      await told.owner(`update staff set end_date = '2026-06-30'`);
      expect(await due(told)).toMatchObject([{ amount: '-23.83', figure_before: '738.83' }]);
    }));

  test('is owed back by a person who stays, and kept by one who is hired again', () =>
    story(async (told) => {
      await rule(told);
      await told.hire(guardHere, LEFT);
      await enter(told);
      await approve(told);
      await told.lock(await told.calculate());
      await told.owner(`update staff set end_date = null, status = 'active'`);
      expect(await due(told)).toMatchObject([{ amount: '-715.00', figure_before: '715.00' }]);
      await told.owner(`update staff set hire_date = '2026-08-01'`);
      expect(await due(told)).toEqual([]);
    }));

  test('that was rejected comes again only with another figure', () =>
    story(async (told) => {
      await rule(told);
      await told.hire(guardHere, LEFT);
      await enter(told);
      await told.as(admin, 'select decide_adjustment(id, false) from pay_adjustments');
      expect(await due(told)).toEqual([]);
      await told.owner(`update staff set end_date = '2026-07-31'`);
      expect(await due(told)).toMatchObject([{ amount: '738.83' }]);
    }));
});

describe('a thirteenth month', () => {
  const now = async ({ owner }: PayStory) =>
    String((await owner('select private.company_date()::text as day'))[0]?.day);

  test('is due from its month on, by the days of the year', () =>
    story(async (told) => {
      const day = await now(told);
      const year = Number(day.slice(0, 4));
      await told.hire(guardHere, { hire_date: '2020-05-01' });
      await told
        .hire(guardElsewhere, {
          hire_date: `${year - 1}-01-01`,
          end_date: `${year - 2}-12-31`,
          status: 'inactive',
        })
        .catch(() => undefined);
      await thirteenth(told, day);
      expect(await due(told)).toMatchObject([{ kind: 'thirteenth_month', amount: '143.00' }]);
      await told.owner(`update staff set hire_date = $1 where full_name = $2`, [
        `${year}-07-01`,
        guardHere.name,
      ]);
      const [{ days } = { days: 0 }] = await told.owner(
        `select make_date($1, 12, 31) - make_date($1, 1, 1) + 1 as days`,
        [year],
      );
      expect(await due(told)).toMatchObject([{ amount: ((143 * 184) / Number(days)).toFixed(2) }]);
      await enter(told, 'thirteenth_month');
      await approve(told);
      await told.calculate();
      expect(await paid(told)).toMatchObject([{ label: `Thirteenth month ${year}` }]);
      // Leaving earlier is another share of the year.
      await told.owner(`update staff set end_date = $1, status = 'inactive' where full_name = $2`, [
        `${year}-07-31`,
        guardHere.name,
      ]);
      expect(await due(told)).toMatchObject([{ amount: ((143 * 31) / Number(days)).toFixed(2) }]);
    }));

  test('is off from the day on which a rule has 0 months', () =>
    story(async (told) => {
      const day = await now(told);
      await told.hire(guardHere, { hire_date: '2020-05-01' });
      await thirteenth(told, day, { effective_from: '2021-01-01', months: 0 });
      await thirteenth(told, day);
      expect(await due(told)).toEqual([]);
    }));
});

test('a rule that adjustments were entered by is kept; others can be deleted', () =>
  story(async (told) => {
    await rule(told);
    await rule(told, { effective_from: '2027-01-01' });
    await told.hire(guardHere, LEFT);
    await enter(told);
    expect(
      await told.refused(finance, `delete from pay_item_rules where effective_from < '2027-01-01'`),
    ).toContain('Add one that begins later');
    await told.as(finance, `delete from pay_item_rules where effective_from = '2027-01-01'`);
    expect(await told.owner('select from pay_item_rules')).toHaveLength(1);
  }));

test('refuses what nobody may ask or say', () =>
  story(async (told) => {
    for (const person of [hr, guardHere]) {
      for (const call of ['pay_items_due()', `enter_pay_items('severance')`]) {
        expect(await told.refused(person, `select ${call}`)).toContain('Only admins and finance');
      }
    }
    expect(await told.refused(finance, 'select enter_pay_items(null)')).toContain('Choose');
    expect(await told.refused(finance, 'select pay_items_due(null, 0)')).toContain('page');
    expect(await told.refused(finance, 'select pay_items_due(null, 1, null)')).toContain('page');
  }));
