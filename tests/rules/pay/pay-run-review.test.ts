// What the review of a pay run names before it is locked, and what stops it. March 2032 begins on a Monday.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { hoursOn, type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardElsewhere, guardHere, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `truncate staff, pay_runs, timesheets cascade; delete from notices;
     delete from pay_rates where effective_from > '2026-01-01'`,
  );
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);
const WORKDAYS = Array.from({ length: 31 }, (_, index) => index + 1).filter((day) => day % 7 !== 0);

describe('payroll drafted by hand beside a run', () => {
  const DRAFT = `select * from draft_payroll('2032-03-01', '2032-03-31')`;

  test('is refused as long as the run is open, and names it', () =>
    story(async ({ hire, calculate, refused, as, owner }) => {
      await hire(guardHere);
      const run = await calculate();
      const sentence =
        'The monthly pay run from Mar 1, 2032 to Mar 31, 2032 pays these people already. Continue with it, or void it first.';
      expect(await refused(finance, DRAFT)).toBe(sentence);
      // Part of the month, or a longer period, too.
      expect(await refused(finance, `select draft_payroll('2032-03-20', '2032-04-19')`)).toBe(
        sentence,
      );
      await as(admin, 'select approve_pay_run($1)', [run]);
      expect(await refused(finance, DRAFT)).toBe(sentence);
      await as(finance, `select void_pay_run($1, 'By hand')`, [run]);
      expect(await as(finance, DRAFT)).toMatchObject([{ added: 1, skipped: 0 }]);
      expect(await owner('select count(*)::int as records from payroll')).toEqual([{ records: 1 }]);
    }));

  test('leaves alone a run of other people, and what a locked run has written', () =>
    story(async ({ hire, calculate, lock, as }) => {
      await hire(guardHere);
      await hire(guardElsewhere, { payment_frequency: 'weekly' });
      await calculate('2032-04-15');
      expect(await as(finance, DRAFT)).toMatchObject([{ added: 2, skipped: 0 }]);
      const weekly = await calculate('2032-05-05', 'weekly');
      await lock(weekly);
      const [may] = await as(finance, `select * from draft_payroll('2032-05-01', '2032-05-31')`);
      expect(may).toMatchObject({ added: 1, skipped: 1 });
    }));

  test('or entered afterwards is named in the review at once, and when locking', () =>
    story(async ({ hire, calculate, refused, as, owner, lock }) => {
      const people = [guardHere, guardElsewhere, opsManager];
      for (const person of people) await hire(person);
      const names = people.map(({ name }) => name).sort();
      const run = await calculate();
      // The screen for one record, not the draft.
      await as(
        finance,
        `insert into payroll (staff_id, period_start, period_end, base_amount)
         select id, '2032-03-01', '2032-03-15', 60 from staff`,
      );
      const findings = () =>
        as(
          finance,
          `select full_name, text from pay_run_findings($1) where code = 'payroll_exists'`,
          [run],
        );
      expect(await findings()).toEqual(
        names.map((full_name) => ({ full_name, text: 'Mar 1 to Mar 15, 2032, pending, US$60.00' })),
      );
      await as(admin, 'select approve_pay_run($1)', [run]);
      expect(await refused(finance, 'select lock_pay_run($1)', [run])).toBe(
        `3 people of this run already have a payroll record of the period: ${names.join(', ')}. Cancel or delete these records under Payroll, or void this run.`,
      );
      await owner(`update payroll set payment_status = 'cancelled'`);
      expect(await findings()).toEqual([]);
      await as(finance, 'select return_pay_run($1)', [run]);
      await lock(await calculate());
      // What the run wrote is no finding.
      expect(await findings()).toEqual([]);
    }));
});

describe('the minimum wage', () => {
  const under = (as: PayStory['as'], run: string) =>
    as(
      finance,
      `select full_name, amount, limit_amount, minutes from pay_run_findings($1) where code = 'under_minimum'`,
      [run],
    );

  test('is compared with the pay for the hours, before tax and deductions', () =>
    story(async ({ hire, hours, calculate, as, owner }) => {
      // Net pay is below US$143 for all three; only one is paid too little for the hours.
      const lawful = await hire(guardHere);
      await hours(guardHere, hoursOn(WORKDAYS, 'regular', 480));
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, effective_from) values ($1, 'deduction', 'Union', 20, '2032-01-01')`,
        [lawful],
      );
      await hire(guardElsewhere, { pay_basis: 'hourly', salary_amount: 0.69 });
      await hours(guardElsewhere, hoursOn([1, 2, 3], 'regular', 480));
      await hire(opsManager, { pay_basis: 'hourly', salary_amount: 0.6 });
      await hours(opsManager, [
        ...hoursOn([1, 2], 'regular', 480),
        [3, 'overtime_1', 120],
        [4, 'holiday', 60],
      ]);
      // 16 h + 2 h x 1.5 + 1 h x 2, at 5.50 / 8 an hour.
      expect(await under(as, await calculate())).toEqual([
        { full_name: opsManager.name, amount: '12.60', limit_amount: '14.44', minutes: 1140 },
      ]);
    }));

  test('has no part in an allowance, and follows its dated rate', () =>
    story(async ({ hire, hours, calculate, as, owner }) => {
      const staff = await hire(guardHere, { pay_basis: 'hourly', salary_amount: 0.7 });
      await owner(
        `insert into pay_items (staff_id, kind, name, amount, effective_from) values ($1, 'allowance', 'Transport', 50, '2032-01-01')`,
        [staff],
      );
      await owner(
        `insert into pay_rates (kind, effective_from, rate, source) values ('minimum_wage', '2032-03-16', 8, 'Decree')`,
      );
      await hours(guardHere, hoursOn([10, 17], 'regular', 480));
      // One day at 5.50 and one at 8.00.
      expect(await under(as, await calculate())).toMatchObject([
        { amount: '11.20', limit_amount: '13.50', minutes: 960 },
      ]);
    }));

  test('of a salary is a month’s, also in LRD and without hours; missing hours lower it', () =>
    story(async ({ hire, hours, calculate, as }) => {
      await hire(guardHere, { salary_amount: 26312, currency: 'LRD' });
      await hours(guardHere, hoursOn(WORKDAYS, 'regular', 480));
      await hire(guardElsewhere, { salary_amount: 26311, currency: 'LRD' });
      expect(await under(as, await calculate('2032-03-15', 'monthly', 'LRD'))).toMatchObject([
        { full_name: guardElsewhere.name, amount: '26311.00', limit_amount: '26312.00' },
      ]);
      await hire(opsManager);
      await hours(opsManager, hoursOn(WORKDAYS.slice(3), 'regular', 480), {
        days: { day: '2032-03-01', missing_minutes: 1440 },
      });
      expect(await under(as, await calculate())).toEqual([]);
    }));
});
