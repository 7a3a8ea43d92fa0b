// The least tax of people without a tax number: off without a rate, shown on the payslip and in the return.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
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

const rate = ({ owner }: PayStory, from: string, share: number) =>
  owner(
    `insert into pay_rates (kind, effective_from, rate, source) values ('income_tax_no_tin', $1, $2, 'Notice')`,
    [from, share],
  );

const taxOf = async ({ owner }: PayStory, run: string, staff: string) =>
  (
    await owner(
      `select -l.amount as tax, l.explanation from payslip_lines l join payslips s on s.id = l.payslip_id
       where s.pay_run_id = $1 and s.staff_id = $2 and l.kind = 'income_tax'`,
      [run, staff],
    )
  )[0];

test('is withheld from its day on, by month, and only without a number', () =>
  story(async (told) => {
    const without = await told.hire(guardHere, { salary_amount: 200 });
    const withTin = await told.hire(guardElsewhere, { salary_amount: 200, tin: '500000009' });
    const usual = Number((await taxOf(told, await told.calculate(), without))?.tax);
    expect(usual).toBeLessThan(50);
    await rate(told, '2032-03-31', 0.25);
    const run = await told.calculate();
    expect(await taxOf(told, run, without)).toEqual({
      tax: '50.00',
      explanation: '25% of US$200.00, without a tax number (TIN).',
    });
    expect(Number((await taxOf(told, run, withTin))?.tax)).toBe(usual);
    // The month before has none, although no rate is nearer.
    const before = await told.calculate('2032-02-15');
    expect(Number((await taxOf(told, before, without))?.tax)).toBe(usual);
    await told.lock(run);
    const [{ schedule } = { schedule: undefined }] = await told.as(
      finance,
      `select statutory_schedule('2032-03-01', 'paye') as schedule`,
    );
    expect(schedule).toMatchObject({
      missing: 1,
      rates: expect.arrayContaining([
        expect.objectContaining({ kind: 'income_tax_no_tin', rate: 0.25 }),
      ]),
    });
  }));

test('is the least: more by the bands, or the share of non-residents, stays', () =>
  story(async (told) => {
    const rich = await told.hire(guardHere, { salary_amount: 5000 });
    const abroad = await told.hire(guardElsewhere, { salary_amount: 200, tax_resident: false });
    const first = await told.calculate();
    const usual = await taxOf(told, first, rich);
    await rate(told, '2032-01-01', 0.1);
    const run = await told.calculate();
    expect(await taxOf(told, run, rich)).toEqual(usual);
    expect((await taxOf(told, run, abroad))?.tax).toBe('40.00');
    await told.owner(`update pay_rates set rate = 0.3 where kind = 'income_tax_no_tin'`);
    await told.calculate();
    expect((await taxOf(told, run, abroad))?.tax).toBe('60.00');
  }));

test('a number that is entered after the calculation stops the run from being locked', () =>
  story(async (told) => {
    await rate(told, '2032-01-01', 0.25);
    const staff = await told.hire(guardHere, { salary_amount: 200 });
    const run = await told.calculate();
    await told.owner(`update staff set tin = '500000008' where id = $1`, [staff]);
    await expect(told.lock(run)).rejects.toThrow('a tax number or a new rate');
  }));

test('a first rate that begins after a locked month is no change of it', () =>
  story(async (told) => {
    await told.hire(guardHere, { salary_amount: 200 });
    await told.lock(await told.calculate());
    await rate(told, '2032-04-01', 0.25);
    await expect(rate(told, '2032-03-01', 0.25)).rejects.toThrow('is locked with the rates');
  }));
