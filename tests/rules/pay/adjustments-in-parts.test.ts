// Adjustments that one run can't settle: more than the pay, or in another currency.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardElsewhere, guardHere, hr } from '#tests/support/people.ts';
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

/** An adjustment that finance enters and the admin approves. @returns its id */
async function approved({ as }: PayStory, staff: string, amount: number, currency = 'USD') {
  const [{ id } = {}] = await as(
    finance,
    `select add_adjustment($1, '2032-02-01', '2032-02-29', $2, $3, 'Paid twice') as id`,
    [staff, amount, currency],
  );
  await as(admin, 'select decide_adjustment($1, true)', [id]);
  return String(id);
}

const paid = async ({ lines }: PayStory, run: string, staff: string) =>
  (await lines(run, staff))
    .filter(([kind]) => kind === 'adjustment')
    .map((line) => line[2])
    .sort((a, b) => Number(b) - Number(a));

describe('a recovery above a month’s pay', () => {
  test('is taken month by month until it is repaid, and the payslip tells what is left', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      await approved(scene, staff, -300);
      const taken: unknown[] = [];
      for (const month of ['03', '04', '05', '06']) {
        const run = await scene.calculate(`2032-${month}-01`);
        taken.push(await paid(scene, run, staff));
        const [slip] = await scene.owner(
          `select s.net >= 0 as is_paid, l.explanation from payslips s
           left join payslip_lines l on l.payslip_id = s.id and l.kind = 'adjustment'
           where s.pay_run_id = $1`,
          [run],
        );
        expect(slip?.is_paid).toBe(true);
        if (month === '03')
          expect(slip?.explanation).toBe(
            'US$143.00 of US$300.00: no more pay was left, the rest follows in the next run. Paid twice',
          );
        await scene.lock(run);
      }
      expect(taken).toEqual([['-143.00'], ['-143.00'], ['-14.00'], []]);
      expect(
        await scene.owner(
          `select sum(amount) as amount, count(*) filter (where payslip_line_id is null)::int as waiting from pay_adjustments`,
        ),
      ).toEqual([{ amount: '-300.00', waiting: 0 }]);
    }));

  test('is shown in the review with what waits, and comes back whole when the run is voided', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      // Another person is paid, or the run would be paid as soon as it is locked.
      await scene.hire(guardElsewhere);
      await approved(scene, staff, 20);
      await approved(scene, staff, -200);
      const run = await scene.calculate();
      expect(await paid(scene, run, staff)).toEqual(['20.00', '-163.00']);
      const [{ problems } = {}] = await scene.owner('select problems from pay_runs where id = $1', [
        run,
      ]);
      expect(problems).toMatchObject([
        {
          code: 'adjustment_waits',
          text: 'US$163.00 of US$200.00 is taken, as far as the pay allows. The rest waits for the next run.',
        },
      ]);
      await scene.lock(run);
      await scene.as(finance, `select void_pay_run($1, 'Wrong hours')`, [run]);
      const again = await scene.calculate();
      const parts = (await paid(scene, again, staff)).map(Number);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(-143);
      await scene.lock(again);
      const april = await scene.calculate('2032-04-01');
      expect(await paid(scene, april, staff)).toEqual(['-37.00']);
    }));
});

describe('an adjustment in another currency', () => {
  test('is named in the review, and paid at the dated rate once it is converted', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      const id = await approved(scene, staff, 5000, 'LRD');
      const problems = async (run: string) =>
        (await scene.owner('select problems from pay_runs where id = $1', [run]))[0]?.problems;
      const run = await scene.calculate();
      expect(await problems(run)).toMatchObject([
        {
          code: 'adjustment_currency',
          staff_id: staff,
          text: 'L$5,000.00 waits for a run in LRD. Convert it, or leave it for that run.',
        },
      ]);
      expect(await paid(scene, run, staff)).toEqual([]);
      const convert = 'select convert_adjustment($1, $2)';
      expect(await scene.refused(hr, convert, [id, 'USD'])).toContain('Only admins and finance');
      expect(await scene.refused(finance, convert, [id, 'USD'])).toContain('Someone else');
      await scene.as(admin, convert, [id, 'USD']);
      await scene.calculate();
      expect(await paid(scene, run, staff)).toEqual(['27.17']);
      expect(await problems(run)).toEqual([]);
      // Back to its own currency, and again.
      await scene.as(admin, convert, [id, 'LRD']);
      await scene.calculate();
      expect(await paid(scene, run, staff)).toEqual([]);
      await scene.as(admin, convert, [id, 'USD']);
      const fresh = await scene.calculate();
      const [line] = await scene.owner(
        `select explanation from payslip_lines where kind = 'adjustment'`,
      );
      expect(line?.explanation).toBe('L$5,000.00 at L$184 per US$ of Jan 1, 2025. Paid twice');
      await scene.lock(fresh);
      expect(await scene.refused(admin, convert, [id, 'LRD'])).toBe(
        'A run has paid this adjustment.',
      );
      expect(await scene.owner('select amount, currency from pay_adjustments')).toEqual([
        { amount: '5000.00', currency: 'LRD' },
      ]);
    }));

  test('is named with a debt that no run of this currency repays', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      await scene.as(
        finance,
        `insert into staff_ledger (staff_id, entry, kind, currency, amount, repay_from) values ($1, 'issue', 'loan', 'LRD', 9200, '2032-01-01')`,
        [staff],
      );
      const run = await scene.calculate();
      const [{ problems } = {}] = await scene.owner('select problems from pay_runs where id = $1', [
        run,
      ]);
      expect(problems).toMatchObject([
        {
          code: 'debt_currency',
          text: 'L$9,200.00 of a loan is owed in LRD, so this run takes nothing. Enter the repayment by hand, or leave it for a run in LRD.',
        },
      ]);
    }));

  test('that is a recovery above the pay is split in both currencies', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      const id = await approved(scene, staff, -36_800, 'LRD');
      await scene.as(admin, `select convert_adjustment($1, 'USD')`, [id]);
      const run = await scene.calculate();
      await scene.lock(run);
      expect(await paid(scene, run, staff)).toEqual(['-143.00']);
      const april = await scene.calculate('2032-04-01');
      await scene.lock(april);
      expect(await paid(scene, april, staff)).toEqual(['-57.00']);
      expect(
        await scene.owner('select amount, converted_amount from pay_adjustments order by amount'),
      ).toEqual([
        { amount: '-26312.00', converted_amount: '-143.00' },
        { amount: '-10488.00', converted_amount: '-57.00' },
      ]);
    }));

  test('is converted again by a person when its amount is decided otherwise', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      const id = await approved(scene, staff, 5000, 'LRD');
      await scene.as(admin, `select convert_adjustment($1, 'USD')`, [id]);
      await scene.as(admin, 'select decide_adjustment($1, true, null, 6000)', [id]);
      expect(await scene.owner('select amount, converted_currency from pay_adjustments')).toEqual([
        { amount: '6000.00', converted_currency: null },
      ]);
    }));
});
