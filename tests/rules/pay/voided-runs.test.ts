// Voiding a locked run returns all that it settled, and the run that replaces it contains each thing once.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { numbers } from '#tests/support/numbers.ts';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `truncate staff, pay_runs, timesheets cascade; delete from notices; delete from pay_rates where effective_from > '2026-01-01'`,
  );
});

const ADD = `select add_adjustment($1, '2032-03-01', '2032-03-31', $2, 'USD', 'Flood') as id`;
const [MARCH, APRIL, MAY] = ['2032-03-15', '2032-04-15', '2032-05-15'];

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

/** Hours in March for a wage that changes, and a hundred at US$1.00 in the months after it. */
async function hireByHour({ hire, hours, owner }: PayStory): Promise<string> {
  const staff = await hire(guardHere, { pay_basis: 'hourly', salary_amount: 1 });
  await owner(
    `insert into pay_bases (staff_id, effective_from, basis, amount) values ($1, '2032-04-01', 'hourly', 1)`,
    [staff],
  );
  await hours(guardHere, [[5, 'regular', 600]]);
  for (const month of [4, 5])
    await hours(
      guardHere,
      [1, 2, 3, 4, 5, 6, 8, 9, 10, 11].map((day) => [day, 'regular', 600]),
      { month },
    );
  return staff;
}

const raise = ({ owner }: PayStory, amount: number) =>
  owner(`update pay_bases set amount = $1 where effective_from < '2032-04-01'`, [amount]);

const gross = async ({ owner }: PayStory, run: string) =>
  (await owner('select gross from payslips where pay_run_id = $1', [run]))[0]?.gross;

const statuses = async ({ owner }: PayStory) =>
  (await owner('select amount, status from pay_adjustments order by amount')).map((row) =>
    Object.values(row).join(' '),
  );

const voidRun = ({ as }: PayStory, run: unknown) =>
  as(finance, `select void_pay_run($1, 'Wrong rate')`, [run]);

describe('voiding a run ends the corrections of it', () => {
  test('that are approved or to decide: the run that replaces it pays the raise once', () =>
    story(async (told) => {
      const { calculate, lock, as, owner, refused } = told;
      await hireByHour(told);
      const march = await calculate(MARCH);
      await lock(march);
      await raise(told, 3.5);
      await as(finance, 'select propose_corrections($1)', [march]);
      const [first] = await owner('select id from pay_adjustments');
      await as(admin, 'select decide_adjustment($1, true)', [first?.id]);
      await raise(told, 4);
      await as(finance, 'select propose_corrections($1)', [march]);
      await voidRun(told, march);
      expect(await statuses(told)).toEqual(['5.00 superseded', '25.00 superseded']);
      expect(await refused(admin, 'select decide_adjustment($1, true)', [first?.id])).toBe(
        'The pay run that this corrects was voided, so there is nothing to decide.',
      );
      const again = await calculate(MARCH);
      expect(await gross(told, again)).toBe('40.00');
      await lock(again);
      expect(await as(finance, 'select propose_corrections($1) as count', [again])).toEqual([
        { count: 0 },
      ]);
      expect(await gross(told, await calculate(APRIL))).toBe('100.00');
    }));

  test('but not what was rejected, which stays so', () =>
    story(async (told) => {
      const { calculate, lock, as, owner, refused } = told;
      await hireByHour(told);
      const march = await calculate(MARCH);
      await lock(march);
      await raise(told, 2);
      await as(finance, 'select propose_corrections($1)', [march]);
      const [{ id } = {}] = await owner('select id from pay_adjustments');
      await as(admin, 'select decide_adjustment($1, false)', [id]);
      await voidRun(told, march);
      expect(await statuses(told)).toEqual(['10.00 rejected']);
      expect(await refused(admin, 'select decide_adjustment($1, true)', [id])).toContain('voided');
    }));

  test('and is refused while a later run has paid one of them', () =>
    story(async (told) => {
      const { calculate, lock, as, owner, refused } = told;
      await hireByHour(told);
      const march = await calculate(MARCH);
      await lock(march);
      await raise(told, 2);
      await as(finance, 'select propose_corrections($1)', [march]);
      const [{ id } = {}] = await owner('select id from pay_adjustments');
      await as(admin, 'select decide_adjustment($1, true)', [id]);
      const april = await calculate(APRIL);
      await lock(april);
      expect(await refused(finance, `select void_pay_run($1, 'Wrong')`, [march])).toBe(
        'The pay run of April 2032 has paid corrections of this one. Void that run first.',
      );
      await voidRun(told, april);
      expect(await statuses(told)).toEqual(['10.00 approved']);
      await voidRun(told, march);
      expect(await statuses(told)).toEqual(['10.00 superseded']);
    }));

  test('while a run that has calculated them must be calculated again', () =>
    story(async (told) => {
      const { calculate, lock, as, owner, refused } = told;
      await hireByHour(told);
      const march = await calculate(MARCH);
      await lock(march);
      await raise(told, 2);
      await as(finance, 'select propose_corrections($1)', [march]);
      const [{ id } = {}] = await owner('select id from pay_adjustments');
      await as(admin, 'select decide_adjustment($1, true)', [id]);
      const april = await calculate(APRIL);
      expect(await gross(told, april)).toBe('110.00');
      await voidRun(told, march);
      await as(admin, 'select approve_pay_run($1)', [april]);
      expect(await refused(finance, 'select lock_pay_run($1)', [april])).toContain(
        'Corrections have changed',
      );
      await as(finance, 'select return_pay_run($1)', [april]);
      expect(await gross(told, await calculate(APRIL))).toBe('100.00');
    }));
});

test('an amount entered by hand waits for the run that replaces the voided one, which pays it once', () =>
  story(async (told) => {
    const { calculate, lock, as } = told;
    const staff = await hireByHour(told);
    const [{ id } = {}] = await as(finance, ADD, [staff, 7]);
    await as(admin, 'select decide_adjustment($1, true)', [id]);
    const march = await calculate(MARCH);
    await lock(march);
    await voidRun(told, march);
    expect(await statuses(told)).toEqual(['7.00 approved']);
    const again = await calculate(MARCH);
    expect(await gross(told, again)).toBe('17.00');
    await lock(again);
    expect(await gross(told, await calculate(APRIL))).toBe('100.00');
  }));

test('the notice of a withdrawn payslip is gone; a notice says that the payslip is withdrawn', () =>
  story(async (told) => {
    const { calculate, lock, as } = told;
    await hireByHour(told);
    const titles = async () =>
      (await as(guardHere, 'select title from notices order by title')).map(({ title }) => title);
    const march = await calculate(MARCH);
    await lock(march);
    expect(await titles()).toEqual(['Your payslip for March 2032']);
    await voidRun(told, march);
    expect(await titles()).toEqual(['Payslip withdrawn: March 2032']);
    await lock(await calculate(MARCH));
    expect(await titles()).toEqual([
      'Payslip withdrawn: March 2032',
      'Your payslip for March 2032',
    ]);
  }));

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  'in any order of locks, raises, corrections, decisions and voids a person gets what the facts say (%i)',
  (seed) =>
    story(async (told) => {
      const { calculate, lock, as, owner, refused } = told;
      const next = numbers(seed * 7919);
      const staff = await hireByHour(told);
      await owner(
        `insert into staff_ledger (staff_id, entry, kind, amount, repay_per_period, repay_from)
         values ($1, 'issue', 'advance', 50, 1, '2032-03-01')`,
        [staff],
      );
      let [march, april]: (string | undefined)[] = [];
      let rate = 1;
      let byHand = 0;
      // Of the run of March that counts.
      let rejected = 0;
      const decide = async (isApproved: boolean) => {
        const [row] = await owner(
          `select id, kind, amount from pay_adjustments where status = 'to_decide' order by md5(id::text) limit 1`,
        );
        if (!row) return;
        await as(admin, 'select decide_adjustment($1, $2)', [row.id, isApproved]);
        if (row.kind === 'manual' && isApproved) byHand += Number(row.amount);
        if (row.kind === 'correction' && !isApproved) rejected += Number(row.amount);
      };
      const steps: Record<string, () => Promise<unknown>> = {
        lockMarch: async () => {
          if (march !== undefined) return;
          march = await calculate(MARCH);
          await lock(march);
        },
        voidMarch: async () => {
          if (march === undefined) return;
          const isPaid = await owner(
            `select from pay_adjustments where kind = 'correction' and payslip_line_id is not null`,
          );
          if (isPaid.length > 0) {
            expect(await refused(finance, `select void_pay_run($1, 'Wrong')`, [march])).toContain(
              'has paid corrections of this one',
            );
            return;
          }
          await voidRun(told, march);
          march = undefined;
          rejected = 0;
        },
        lockApril: async () => {
          if (april !== undefined) return;
          april = await calculate(APRIL);
          await lock(april);
        },
        voidApril: async () => {
          if (april === undefined) return;
          await voidRun(told, april);
          april = undefined;
        },
        raise: async () => {
          rate = (100 + next(400)) / 100;
          await raise(told, rate);
        },
        propose: async () => {
          if (march !== undefined) await as(finance, 'select propose_corrections($1)', [march]);
        },
        enter: () => as(finance, ADD, [staff, 1 + next(9)]),
        approve: () => decide(true),
        approveAnother: () => decide(true),
        reject: () => decide(false),
      };
      const names = Object.keys(steps);
      const done: string[] = [];
      for (let count = 0; count < 40; count += 1) {
        const name = names[next(names.length)] ?? '';
        done.push(name);
        await steps[name]?.();
      }
      // All that is open is settled: the month, its corrections, and what the months after it pay.
      await steps.lockMarch?.();
      await steps.propose?.();
      for (let count = 0; count < 30; count += 1) await decide(true);
      await steps.lockApril?.();
      await lock(await calculate(MAY));
      const [sums] = await owner(
        `select sum(l.amount) filter (where l.kind in ('regular', 'adjustment'))::float as paid,
           count(*) filter (where l.kind = 'advance')::int as instalments,
           (select balance::float from ledger_balances()) as owed
         from payslip_lines l join payslips s on s.id = l.payslip_id join pay_runs r on r.id = s.pay_run_id
         where r.status in ('locked', 'paid')`,
      );
      expect(sums, done.join(', ')).toEqual({
        paid: expect.closeTo(10 * rate + 200 + byHand - rejected, 6),
        instalments: 3,
        owed: 47,
      });
    }),
);
