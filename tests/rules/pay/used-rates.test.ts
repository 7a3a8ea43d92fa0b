// Rates that a locked pay run or an issued invoice used stay as they were.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, asOwner, why } from '#tests/support/books.ts';
import { addClient, addDraft, issueAsIs } from '#tests/support/invoice-story.ts';
import { makeRun } from '#tests/support/payment-story.ts';
import { admin, finance } from '#tests/support/people.ts';
import { approve, propose } from '#tests/support/rates.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const story = (work: (client: PoolClient) => Promise<void>) => rolledBack(database.owner, work);
/** A run of September 2026. */
const lock = async (client: PoolClient, run?: string) => {
  const id = run ?? (await makeRun(client));
  await asOwner(client, `update pay_runs set status = 'locked', locked_at = now() where id = $1`, [
    id,
  ]);
  return id;
};
const LOCKED =
  'The pay run of September 2026 is locked with the rates of its time. Add a rate that begins after September 30, 2026.';

describe('a locked pay run', () => {
  test('keeps its bands of tax and its exchange rate', () =>
    story(async (client) => {
      await lock(client);
      for (const [person, sql] of [
        [finance, `delete from pay_rates where kind = 'income_tax' and rate = 0.15`],
        [
          finance,
          `delete from pay_rates where kind = 'lrd_per_usd' and effective_from = '2025-01-01'`,
        ],
      ] as const) {
        expect(await why(client, () => as(client, person, sql))).toBe(LOCKED);
      }
      for (const sql of [
        `update pay_rates set rate = 200 where kind = 'lrd_per_usd' and effective_from = '2025-01-01'`,
        `update pay_rates set effective_from = '2026-12-01' where kind = 'minimum_wage'`,
        // Bands of the day that the run used.
        `insert into pay_rates (kind, effective_from, from_amount, rate, source) values ('income_tax', '2025-01-01', 900000, 0.3, 'Law')`,
        `insert into pay_rates (kind, effective_from, rate, source) values ('lrd_per_usd', '2026-09-30', 190, 'Bank')`,
      ]) {
        expect(await why(client, () => asOwner(client, sql))).toBe(LOCKED);
      }
      expect(
        await why(client, () => propose(client, finance, 'lrd_per_usd', '2026-09-30', 190)),
      ).toBe(LOCKED);
      await approve(
        client,
        admin,
        await propose(client, finance, 'lrd_per_usd', '2026-10-01', 190),
      );
      // The source beside the figure can be corrected.
      await asOwner(
        client,
        `update pay_rates set source = 'Central bank' where kind = 'lrd_per_usd'`,
      );
    }));

  test('that is void frees them', () =>
    story(async (client) => {
      const run = await lock(client);
      await as(client, finance, `select void_pay_run($1, 'Wrong rate')`, [run]);
      await as(
        client,
        finance,
        `delete from pay_rates where kind = 'lrd_per_usd' and effective_from = '2025-01-01'`,
      );
    }));

  test('is not locked with rates that were approved after its calculation', () =>
    story(async (client) => {
      const run = await makeRun(client);
      await asOwner(
        client,
        `update pay_runs set calculated_at = now() - interval '1 microsecond' where id = $1`,
        [run],
      );
      await approve(
        client,
        admin,
        await propose(client, finance, 'nasscorp_employee', '2026-09-01', 0.05),
      );
      expect(await why(client, () => lock(client, run))).toBe(
        'Rates have changed since the calculation. Return the run and calculate it again.',
      );
      await asOwner(client, `delete from pay_rates where effective_from = '2026-09-01'`);
      await approve(
        client,
        admin,
        await propose(client, finance, 'nasscorp_employee', '2026-10-01', 0.05),
      );
      await lock(client, run);
    }));

  test('and a draft refuse an exchange rate that can not be right', () =>
    story(async (client) => {
      const run = await makeRun(client);
      await asOwner(client, `update pay_runs set status = 'calculated' where id = $1`, [run]);
      expect(
        await why(client, () =>
          as(client, finance, 'update pay_runs set lrd_per_usd = 0 where id = $1', [run]),
        ),
      ).toBe('The exchange rate must be from L$50 to L$1,000 for one US$.');
      await asOwner(client, `delete from pay_rates where kind = 'lrd_per_usd'`);
      const begin = `insert into pay_runs (pay_group, currency, period_start, period_end) values ('monthly', 'LRD', '2026-09-01', '2026-09-30')`;
      expect(await why(client, () => as(client, finance, begin))).toBe(
        'There is no exchange rate. Add one under Pay Rates first.',
      );
    }));
});

describe('a tax on invoices', () => {
  test('counts when approved, and stays once an issued invoice used it', () =>
    story(async (client) => {
      await approve(
        client,
        admin,
        await propose(client, finance, 'tax', '2026-01-01', 0.1, { name: 'Stamp duty' }),
      );
      const invoice = await addDraft(client, await addClient(client, 'Embassy'), [
        { amount: 50, tax: 0.1 },
      ]);
      await asOwner(
        client,
        `update invoice_lines set tax_name = 'Stamp duty' where invoice_id = $1`,
        [invoice],
      );
      await as(client, finance, `delete from tax_rates where name = 'Stamp duty'`);
      await approve(
        client,
        admin,
        await propose(client, finance, 'tax', '2026-01-01', 0.1, { name: 'Stamp duty' }),
      );
      await issueAsIs(client, invoice);
      const used =
        'Issued invoices use Stamp duty up to September 30, 2026. Add a rate that begins after it.';
      expect(
        await why(client, () =>
          as(client, finance, `delete from tax_rates where name = 'Stamp duty'`),
        ),
      ).toBe(used);
      expect(
        await why(client, () =>
          asOwner(client, `update tax_rates set rate = 0.18 where name = 'Stamp duty'`),
        ),
      ).toBe(used);
      expect(
        await why(client, () =>
          propose(client, finance, 'tax', '2026-09-30', 0.18, { name: 'Stamp duty' }),
        ),
      ).toBe(used);
      const next = await propose(client, finance, 'tax', '2027-01-01', 0.18, {
        name: 'Stamp duty',
      });
      const on = async (day: string) =>
        Number(
          (await asOwner(client, `select private.tax_rate_on('Stamp duty', $1) as rate`, [day]))[0]
            .rate,
        );
      expect(await on('2027-01-31')).toBe(0.1);
      await approve(client, admin, next);
      expect([await on('2026-12-31'), await on('2027-01-31')]).toEqual([0.1, 0.18]);
    }));
});
