// Returns for a month come from locked runs, in each currency, and equal the payslips.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { finance, hr } from '#tests/support/people.ts';
import { addRun, KORPO, MUSU } from '#tests/support/return-story.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const SEPTEMBER = { start: '2026-09-01', end: '2026-09-30' };

const schedule = async (client: PoolClient, month: string | null, kind: string | null) => {
  await become(client, finance);
  const { rows } = await client.query('select statutory_schedule($1, $2) as schedule', [
    month,
    kind,
  ]);
  return rows[0].schedule;
};

const story = (work: (client: PoolClient) => Promise<void>) => rolledBack(database.owner, work);

describe('a return', () => {
  test('lists each person of the month’s locked runs, with the employer’s share and the due date', () =>
    story(async (client) => {
      await addRun(client, SEPTEMBER, [MUSU, KORPO]);
      const nasscorp = await schedule(client, '2026-09-17', 'nasscorp');
      expect(nasscorp).toMatchObject({
        month: '2026-09-01',
        due_on: '2026-10-10',
        runs: 1,
        open_runs: 0,
      });
      expect(nasscorp.rows).toMatchObject([
        { full_name: 'Korpo Kollie', gross: '100.00', employee: '4.00', employer: '6.00' },
        { full_name: 'Musu Flomo', gross: '143.00', employee: '5.72', employer: '8.58' },
      ]);
      expect(nasscorp.totals).toMatchObject([
        { currency: 'USD', people: 2, gross: '243.00', employee: '9.72', employer: '14.58' },
      ]);
      const paye = await schedule(client, '2026-09-17', 'paye');
      expect(paye.totals).toMatchObject([{ taxable: '243.00', tax: '15.81' }]);
      expect(paye.exchange_rates).toEqual([184]);
    }));

  test('comes in pages with the totals of everybody, also from stored sums', () =>
    story(async (client) => {
      await addRun(client, SEPTEMBER, [MUSU, KORPO]);
      await addRun(client, { ...SEPTEMBER, currency: 'LRD' }, [MUSU]);
      const whole = await schedule(client, '2026-09-01', 'paye');
      expect(whole.count).toBe(3);
      const page = async (number: number) => {
        const { rows } = await client.query(
          `select statutory_schedule('2026-09-01', 'paye', $1, 2) as schedule`,
          [number],
        );
        return rows[0].schedule;
      };
      expect(await page(1)).toEqual({ ...whole, rows: whole.rows.slice(0, 2) });
      await becomeOwner(client);
      for (const _ of [1, 2, 3]) await client.query('select private.sum_locked_runs()');
      expect(await schedule(client, '2026-09-01', 'paye')).toEqual(whole);
      expect(await page(2)).toEqual({ ...whole, rows: whole.rows.slice(2) });
      expect(await page(3)).toMatchObject({ count: 3, rows: [] });
    }));

  test('names the rates in force at the end of the month, and their sources', () =>
    story(async (client) => {
      await client.query(
        `insert into pay_rates (kind, effective_from, rate, source) values
           ('nasscorp_employee', '2026-09-30', 0.05, 'A new law'), ('nasscorp_employee', '2026-10-01', 0.06, 'Later')`,
      );
      const { rates } = await schedule(client, '2026-09-01', 'nasscorp');
      expect(rates).toMatchObject([
        { kind: 'nasscorp_employee', rate: 0.05, source: 'A new law' },
        { kind: 'nasscorp_employer', rate: 0.06 },
      ]);
      expect((await schedule(client, '2026-09-01', 'paye')).rates).toHaveLength(4);
    }));

  test('never mixes currencies', () =>
    story(async (client) => {
      await addRun(client, SEPTEMBER, [MUSU]);
      await addRun(client, { ...SEPTEMBER, currency: 'LRD' }, [{ ...MUSU, gross: 26312 }]);
      const { totals, rows } = await schedule(client, '2026-09-01', 'paye');
      expect(totals).toMatchObject([
        { currency: 'USD', gross: '143.00' },
        { currency: 'LRD', gross: '26312.00' },
      ]);
      expect(rows).toHaveLength(2);
    }));

  test('leaves out other months, and says which runs are not locked yet', () =>
    story(async (client) => {
      await addRun(client, SEPTEMBER, [MUSU]);
      await addRun(client, { start: '2026-10-01', end: '2026-10-31', status: 'approved' }, [KORPO]);
      expect(await schedule(client, '2026-10-01', 'paye')).toMatchObject({
        rows: [],
        totals: [],
        runs: 0,
        open_runs: 1,
      });
      expect(await schedule(client, '2026-08-01', 'paye')).toMatchObject({
        rows: [],
        open_runs: 0,
      });
    }));

  test.each([
    [null, 'paye'],
    ['infinity', 'paye'],
    ['2026-09-01', 'vat'],
    ['2026-09-01', null],
  ])('of %s for %s is refused', (month, kind) =>
    story(async (client) => {
      expect((await refusal(client, () => schedule(client, month, kind))).code).toBe('22023');
    }),
  );

  test('is for admins and finance', () =>
    story(async (client) => {
      await become(client, hr);
      const error = await refusal(client, () =>
        client.query(`select statutory_schedule('2026-09-01', 'paye')`),
      );
      expect(error.code).toBe('42501');
    }));
});
