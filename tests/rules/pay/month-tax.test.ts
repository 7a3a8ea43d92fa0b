// One month, one person, one tax base: the runs of a month together withhold the tax on all of its taxable pay.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory, type Row } from '#tests/support/pay-story.ts';
import { admin, finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
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

type Basis = [from: string, frequency: string, amount: number, currency: string];
type Run = { id: string; currency: string; taxable: number; tax: number; rate: number };

/** Gives the person these pay bases, each from a day on. */
async function paidBy({ owner }: PayStory, staff: string, bases: Basis[]) {
  await owner(`delete from pay_bases where staff_id = $1 and effective_from > '2030-01-01'`, [
    staff,
  ]);
  for (const [from, frequency, amount, currency] of bases) {
    await owner(
      `insert into pay_bases (staff_id, effective_from, payment_frequency, amount, currency, basis) values ($1, $2, $3, $4, $5, 'salary')
       on conflict (staff_id, effective_from) do update set payment_frequency = excluded.payment_frequency,
         amount = excluded.amount, currency = excluded.currency`,
      [staff, from, frequency, amount, currency],
    );
  }
}

/** What the runs of March 2032 that are not void have for the person. */
const runsOf = async ({ owner }: PayStory, staff: string): Promise<Run[]> =>
  (
    await owner(
      `select r.id, r.currency, s.taxable, coalesce(-sum(l.amount), 0) as tax, r.lrd_per_usd as rate
       from payslips s join pay_runs r on r.id = s.pay_run_id
       left join payslip_lines l on l.payslip_id = s.id and l.kind = 'income_tax'
       where s.staff_id = $1 and r.status <> 'void' and r.period_end between '2032-03-01' and '2032-03-31'
       group by r.id, s.taxable order by r.created_at`,
      [staff],
    )
  ).map((row: Row) => ({
    id: String(row.id),
    currency: String(row.currency),
    taxable: Number(row.taxable),
    tax: Number(row.tax),
    rate: row.currency === 'USD' ? Number(row.rate) : 1,
  }));

/** The law's bands of a year in LRD, for a month: written again here, not read from the product. */
function taxOfMonth(base: number): number {
  const year = base * 12;
  const part = (from: number, until: number, rate: number) =>
    Math.max(0, Math.min(year, until) - from) * rate;
  return (
    (part(70_000, 200_000, 0.05) + part(200_000, 800_000, 0.15) + part(800_000, Infinity, 0.25)) /
    12
  );
}

/** The runs' tax is that of the month's whole base; only the last one's cent is rounded. */
function expectWhole(runs: Run[]) {
  const base = runs.reduce((sum, { taxable, rate }) => sum + taxable * rate, 0);
  const tax = runs.reduce((sum, run) => sum + run.tax * run.rate, 0);
  const cent = Math.max(...runs.map(({ rate }) => rate)) * 0.0051;
  expect(Math.abs(tax - taxOfMonth(base)), JSON.stringify(runs)).toBeLessThanOrEqual(cent);
}

const HALVES: Basis[] = [
  ['2030-01-01', 'monthly', 158.86, 'USD'],
  ['2032-03-16', 'monthly', 29_232, 'LRD'],
];

describe('someone who is paid in USD until the 15th and in LRD from the 16th', () => {
  test.each([
    ['USD', 'LRD'],
    ['LRD', 'USD'],
  ])('has one tax base, whether %s or %s comes first', (first, second) =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      await paidBy(scene, staff, HALVES);
      await scene.lock(await scene.calculate('2032-03-15', 'monthly', first));
      expectWhole(await runsOf(scene, staff));
      await scene.lock(await scene.calculate('2032-03-15', 'monthly', second));
      const runs = await runsOf(scene, staff);
      expect(runs).toHaveLength(2);
      expectWhole(runs);
      // Each half alone would have been taxed at 5 %, the month is taxed at 15 %.
      const alone = runs.reduce((sum, run) => sum + taxOfMonth(run.taxable * run.rate), 0);
      expect(runs.reduce((sum, run) => sum + run.tax * run.rate, 0)).toBeGreaterThan(alone * 1.5);
    }),
  );

  test('may have both runs calculated before one is locked', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      await paidBy(scene, staff, HALVES);
      const usd = await scene.calculate();
      const lrd = await scene.calculate('2032-03-15', 'monthly', 'LRD');
      await scene.lock(usd);
      await scene.lock(lrd);
      expectWhole(await runsOf(scene, staff));
    }));

  test('gets another tax when a run is voided and run again, with other figures too', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      await paidBy(scene, staff, HALVES);
      const usd = await scene.calculate();
      await scene.lock(usd);
      const lrd = await scene.calculate('2032-03-15', 'monthly', 'LRD');
      await scene.lock(lrd);
      await scene.as(finance, `select void_pay_run($1, 'Wrong salary')`, [usd]);
      await scene.owner(`update pay_bases set amount = 60 where currency = 'USD'`);
      await scene.lock(await scene.calculate());
      const runs = await runsOf(scene, staff);
      expect(runs).toHaveLength(2);
      expectWhole(runs);
      // The second run had withheld more than is due now: the new one gives it back, and the books add up.
      expect(runs.find(({ currency }) => currency === 'USD')?.tax).toBeLessThan(0);
      expect(
        await scene.owner(
          `select r.net_amount = s.net as same from payroll r join payslips s on s.payroll_id = r.id
           where r.payment_status <> 'cancelled' and s.staff_id = $1`,
          [staff],
        ),
      ).toEqual([{ same: true }, { same: true }]);
    }));

  test('is named when the other run has changed since the calculation', () =>
    story(async (scene) => {
      const staff = await scene.hire(guardHere);
      await paidBy(scene, staff, HALVES);
      const usd = await scene.calculate();
      const lrd = await scene.calculate('2032-03-15', 'monthly', 'LRD');
      await scene.as(finance, `select void_pay_run($1, 'Not now')`, [usd]);
      await scene.as(admin, 'select approve_pay_run($1)', [lrd]);
      expect(await scene.refused(finance, 'select lock_pay_run($1)', [lrd])).toBe(
        `The tax of the month has changed since the calculation, by another pay run, a tax number or a new rate: ${guardHere.name}. Return the run and calculate it again.`,
      );
      await scene.as(finance, 'select return_pay_run($1)', [lrd]);
      await scene.lock(await scene.calculate('2032-03-15', 'monthly', 'LRD'));
      expectWhole(await runsOf(scene, staff));
    }));
});

describe('the runs of a month', () => {
  /** Numbers that repeat, so that a failure can be repeated. */
  function random(seed: number) {
    let state = seed;
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
  }

  test('withhold the tax on the whole month, whatever the split, the order and the rates', () =>
    story(async (scene) => {
      const next = random(4711);
      const pick = <Item>(items: readonly Item[]): Item => {
        const item = items[Math.floor(next() * items.length)];
        if (item === undefined) throw new Error('Nothing to pick from.');
        return item;
      };
      const [one, two] = [
        await scene.hire(guardHere),
        await scene.hire(guardElsewhere, { tax_resident: false }),
      ];
      for (let round = 0; round < 12; round += 1) {
        await scene.owner('savepoint round');
        const amount = { weekly: 20, 'bi-weekly': 40, monthly: 90 };
        const groups = ['monthly', 'weekly', 'bi-weekly'] as const;
        for (const staff of [one, two]) {
          const days = [
            ...new Set(['2030-01-01', `2032-03-${pick(['02', '09', '15', '23', '29'])}`]),
          ];
          await paidBy(
            scene,
            staff,
            days.sort().map((day) => {
              const group = pick(groups);
              const currency = pick(['USD', 'LRD']);
              const pay = Math.round((1 + next() * 4) * amount[group] * 100) / 100;
              return [day, group, currency === 'LRD' ? pay * 190 : pay, currency];
            }),
          );
        }
        const runs: [day: string, group: string, currency: string][] = [
          ['2032-03-15', 'monthly'],
          ...['03-01', '03-08', '03-15', '03-22'].map((day) => [`2032-${day}`, 'weekly']),
          ...['03-01', '03-15'].map((day) => [`2032-${day}`, 'bi-weekly']),
        ].flatMap(([day = '', group = '']) =>
          ['USD', 'LRD'].map((currency): [string, string, string] => [day, group, currency]),
        );
        const shuffled = runs.map((run) => ({ run, at: next() })).sort((a, b) => a.at - b.at);
        const locked: [string, [string, string, string]][] = [];
        for (const { run } of shuffled) {
          const id = await scene.calculate(...run);
          await scene.owner('update pay_runs set lrd_per_usd = $2 where id = $1', [
            id,
            pick([184, 191.25, 197]),
          ]);
          await scene.calculate(...run);
          await scene.lock(id);
          locked.push([id, run]);
        }
        const [id, run] = pick(locked.filter(([, [, , currency]]) => currency === 'USD'));
        const [status] = await scene.owner('select status from pay_runs where id = $1', [id]);
        if (status?.status === 'locked') {
          await scene.as(finance, `select void_pay_run($1, 'Again')`, [id]);
          await scene.lock(await scene.calculate(...run));
        }
        const resident = await runsOf(scene, one);
        if (resident.length > 0) expectWhole(resident);
        const flat = await runsOf(scene, two);
        const sum = (of: (run: Run) => number) => flat.reduce((total, each) => total + of(each), 0);
        const due = sum(({ taxable, rate }) => taxable * rate) * 0.2;
        expect(Math.abs(sum(({ tax, rate }) => tax * rate) - due)).toBeLessThan(1.02);
        await scene.owner('rollback to savepoint round');
      }
    }));
});
