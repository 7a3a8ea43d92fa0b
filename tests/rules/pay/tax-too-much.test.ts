// A run that was voided leaves the later runs of its month with too much tax: named until it is put right.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `truncate staff, pay_runs, timesheets cascade; delete from notices;
     delete from pay_rates where effective_from > '2026-01-01'`,
  );
});

const MARCH = '2032-03-01';

type Story = PayStory & { staff: string; usd: string; lrd: string };

/** Two locked runs of March, of which the first is voided. */
const story = (work: (story: Story) => Promise<void>) =>
  payStory(database.owner, async (scene) => {
    const staff = await scene.hire(guardHere);
    await scene.owner('delete from pay_bases where staff_id = $1 and effective_from > $2', [
      staff,
      '2030-01-01',
    ]);
    for (const [from, amount, currency] of [
      ['2030-01-01', 158.86, 'USD'],
      ['2032-03-16', 29_232, 'LRD'],
    ]) {
      await scene.owner(
        `insert into pay_bases (staff_id, effective_from, payment_frequency, amount, currency, basis)
         values ($1, $2, 'monthly', $3, $4, 'salary') on conflict (staff_id, effective_from)
         do update set payment_frequency = 'monthly', amount = excluded.amount, currency = excluded.currency`,
        [staff, from, amount, currency],
      );
    }
    const usd = await scene.calculate();
    await scene.lock(usd);
    const lrd = await scene.calculate('2032-03-15', 'monthly', 'LRD');
    await scene.lock(lrd);
    expect(await named(scene)).toEqual([]);
    await scene.as(finance, `select void_pay_run($1, 'Paid by mistake')`, [usd]);
    await work({ ...scene, staff, usd, lrd });
  });

const named = ({ as }: Pick<PayStory, 'as'>) => as(finance, 'select * from tax_too_much()');

const isOpen = async ({ as }: PayStory) =>
  (await as(finance, `select amount from closing_work($1) where item = 'tax_too_much'`, [MARCH]))[0]
    ?.amount;

/** Tax of the run's payslip of the person, in the run's currency. */
const taxOf = async ({ owner }: PayStory, run: string): Promise<number> =>
  Number(
    (
      await owner(
        `select coalesce(-sum(l.amount), 0) as tax from payslips s join payslip_lines l on l.payslip_id = s.id
         where s.pay_run_id = $1 and l.kind = 'income_tax'`,
        [run],
      )
    )[0]?.tax,
  );

const ask = (scene: Story) =>
  scene
    .as(finance, 'select give_tax_back($1, $2) as id', [scene.staff, MARCH])
    .then(([row]) => String(row?.id));

/** Of 14,616 LRD alone: 5 % of what is above 70,000 a year. */
const taxAlone = (month: number) => ((month * 12 - 70_000) * 0.05) / 12;

describe('a locked run of a month whose earlier run was voided', () => {
  test('is named with what it withheld too much, for finance and the closing list', () =>
    story(async (scene) => {
      const [row] = await named(scene);
      const withheld = await taxOf(scene, scene.lrd);
      const [slip] = await scene.owner('select taxable from payslips where pay_run_id = $1', [
        scene.lrd,
      ]);
      const due = taxAlone(Number(slip?.taxable));
      expect(row).toMatchObject({
        staff_id: scene.staff,
        full_name: guardHere.name,
        pay_run_id: scene.lrd,
        run_status: 'locked',
        currency: 'LRD',
        adjustment_id: null,
      });
      expect(Number(row?.withheld_lrd)).toBeCloseTo(withheld, 2);
      expect(Math.abs(Number(row?.due_lrd) - due)).toBeLessThan(0.011);
      expect(Number(row?.amount)).toBeCloseTo(withheld - Number(row?.due_lrd), 2);
      expect(Number(row?.amount)).toBeGreaterThan(0);
      expect(await isOpen(scene)).toBe(1);
      expect(await scene.refused(hr, 'select * from tax_too_much()')).toMatch(/finance/i);
      expect(await scene.refused(guardHere, 'select * from tax_too_much()')).toMatch(/finance/i);
    }));

  test('is no longer named when it is voided and run again', () =>
    story(async (scene) => {
      await scene.as(finance, `select void_pay_run($1, 'Too much tax')`, [scene.lrd]);
      expect(await named(scene)).toEqual([]);
      await scene.lock(await scene.calculate('2032-03-15', 'monthly', 'LRD'));
      expect(await named(scene)).toEqual([]);
      expect(await isOpen(scene)).toBe(0);
    }));

  test('nor when the voided run is made again', () =>
    story(async (scene) => {
      await scene.lock(await scene.calculate());
      expect(await named(scene)).toEqual([]);
    }));

  test('gives the tax back with the next run, once, as tax and not as pay', () =>
    story(async (scene) => {
      const [row] = await named(scene);
      const amount = Number(row?.amount);
      const id = await ask(scene);
      expect((await named(scene))[0]).toMatchObject({ adjustment_id: id });
      expect(await ask(scene), 'asked twice').toBe(id);
      const DECIDE = 'select decide_adjustment($1, true)';
      expect(
        await scene.refused(finance, 'select give_tax_back($1, $2)', [scene.staff, '2032-03-05']),
      ).toContain('first day');
      expect(await scene.refused(finance, DECIDE, [id])).toContain('Someone else');
      expect(
        await scene.refused(admin, `select decide_adjustment($1, true, null, $2)`, [
          id,
          amount + 1,
        ]),
      ).toContain('too high');
      await scene.as(admin, DECIDE, [id]);
      expect(await named(scene)).toEqual([]);
      expect(await isOpen(scene)).toBe(0);
      expect(
        await scene.refused(finance, 'select give_tax_back($1, $2)', [scene.staff, MARCH]),
      ).toContain('not too high');

      const april = await scene.calculate('2032-04-15', 'monthly', 'LRD');
      const slip = await scene.slip(april, scene.staff);
      const lines = await scene.owner(
        `select l.kind, l.label, l.amount from payslip_lines l join payslips s on s.id = l.payslip_id
         where s.pay_run_id = $1 and l.kind = 'income_tax' order by l.position`,
        [april],
      );
      expect(lines.map(({ label }) => label)).toEqual([
        'Income tax',
        'Income tax of March 2032 given back',
      ]);
      expect(Number(lines[1]?.amount)).toBe(amount);
      // Neither taxed nor part of what NASSCORP is computed from.
      expect(Number(slip.gross)).toBe(29_232);
      expect(Number(slip.taxable)).toBe(29_232);
      await scene.lock(april);
      await scene.as(finance, `select void_pay_run($1, 'Again')`, [april]);
      const again = await scene.calculate('2032-04-15', 'monthly', 'LRD');
      await scene.lock(again);
      expect((await taxOf(scene, again)) + amount).toBeCloseTo(-Number(lines[0]?.amount), 2);
      const may = await scene.calculate('2032-05-15', 'monthly', 'LRD');
      expect(await taxOf(scene, may)).toBeCloseTo(-Number(lines[0]?.amount), 2);
      expect(
        (await scene.as(finance, 'select * from pay_run_findings($1)', [may])).filter(
          ({ code }) => code === 'adjustment_waits',
        ),
      ).toEqual([]);
    }));

  test('what was given back counts when the month is run again', () =>
    story(async (scene) => {
      const amount = Number((await named(scene))[0]?.amount);
      await scene.as(admin, 'select decide_adjustment($1, true)', [await ask(scene)]);
      // The voided run comes after all: the month owes the tax of both, and less of it is withheld now.
      const usd = await scene.calculate();
      await scene.lock(usd);
      const [run] = await scene.owner('select lrd_per_usd as rate from pay_runs where id = $1', [
        usd,
      ]);
      const rate = Number(run?.rate);
      const [before] = await scene.owner(
        `select -sum(l.amount) as tax from payslips s join payslip_lines l on l.payslip_id = s.id
         where s.pay_run_id = $1 and l.kind = 'income_tax'`,
        [scene.usd],
      );
      const more = (await taxOf(scene, usd)) - Number(before?.tax);
      expect(Math.abs(more * rate - amount)).toBeLessThan(rate * 0.011);
      expect(await named(scene)).toEqual([]);
    }));
});
