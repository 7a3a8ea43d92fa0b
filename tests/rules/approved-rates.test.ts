// Rates of pay, exchange and tax: dated, approved by a second person, and kept once a document used them.
import type { PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '#shared/rate-limits.ts';
import { as, asOwner, why } from '#tests/support/books.ts';
import { addClient, addDraft, issueAsIs } from '#tests/support/invoice-story.ts';
import { makeRun } from '#tests/support/payment-story.ts';
import { admin, finance, opsManager, type Person } from '#tests/support/people.ts';
import { buildScene } from '#tests/support/scene.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await buildScene(database.owner);
});

const story = (work: (client: PoolClient) => Promise<void>) => rolledBack(database.owner, work);
const PROPOSE = `insert into rate_proposals (kind, name, effective_from, from_amount, rate, source) values ($1, $2, $3, $4, $5, 'Law') returning id`;
const propose = async (
  client: PoolClient,
  person: Person,
  kind: string,
  day: string,
  rate: number,
  { name = null, from = 0 }: { name?: string | null; from?: number } = {},
): Promise<string> => (await as(client, person, PROPOSE, [kind, name, day, from, rate]))[0].id;
const approve = (client: PoolClient, person: Person, id: string) =>
  as(client, person, 'select approve_rate($1)', [id]);
const rateOn = async (client: PoolClient, kind: string, day: string) =>
  Number((await asOwner(client, 'select private.pay_rate($1, $2) as rate', [kind, day]))[0].rate);
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

describe('a rate', () => {
  test('counts when a second person has approved it', () =>
    story(async (client) => {
      const id = await propose(client, finance, 'nasscorp_employee', '2026-12-01', 0.05);
      expect(await rateOn(client, 'nasscorp_employee', '2026-12-31')).toBe(0.04);
      expect(await why(client, () => approve(client, finance, id))).toBe(
        'Someone else must approve it: you proposed it.',
      );
      expect(await why(client, () => approve(client, opsManager, id))).toBe(
        'Only admins and finance may do this.',
      );
      await approve(client, admin, id);
      expect(await rateOn(client, 'nasscorp_employee', '2026-11-30')).toBe(0.04);
      expect(await rateOn(client, 'nasscorp_employee', '2026-12-31')).toBe(0.05);
      expect(
        await as(client, admin, 'select proposed_by, approved_by from pay_rates where id = $1', [
          id,
        ]),
      ).toEqual([{ proposed_by: finance.id, approved_by: admin.id }]);
      expect(await why(client, () => approve(client, admin, id))).toBe(
        'This proposal no longer exists.',
      );
      // Unused, so it can go again.
      await as(client, finance, 'delete from pay_rates where id = $1', [id]);
      expect(await rateOn(client, 'nasscorp_employee', '2026-12-31')).toBe(0.04);
    }));

  test.each([
    [
      "insert into pay_rates (kind, effective_from, rate, source) values ('lrd_per_usd', '2026-12-01', 190, 'Bank')",
    ],
    ['update pay_rates set rate = 190'],
    ["insert into tax_rates (name, rate, effective_from) values ('VAT', 0.18, '2027-01-01')"],
    ['update tax_rates set rate = 0.18'],
  ])('is not entered without the proposal: %s', (sql) =>
    story(async (client) => {
      expect(await why(client, () => as(client, finance, sql))).toMatch(/permission denied/);
    }),
  );

  test.each([
    ['lrd_per_usd', 0, 'The exchange rate must be from L$50 to L$1,000 for one US$.'],
    ['lrd_per_usd', 18400, 'The exchange rate must be from L$50 to L$1,000 for one US$.'],
    ['lrd_per_usd', -184, `A rate can't be negative.`],
    ['nasscorp_employee', 0, 'A share of NASSCORP must be above 0 % and at most 30 %.'],
    ['nasscorp_employer', 0.6, 'A share of NASSCORP must be above 0 % and at most 30 %.'],
    ['income_tax', 0.7, 'Income tax can be 60 % at most.'],
    ['minimum_wage', 0, 'The minimum wage must be from US$0.50 to US$100 a day.'],
    ['tax', 0.75, 'Tax on invoices can be 50 % at most.'],
  ])('%s of %s is refused, for the service too', (kind, rate, message) =>
    story(async (client) => {
      const name = kind === 'tax' ? 'VAT' : null;
      expect(
        await why(client, () => propose(client, finance, kind, '2026-12-01', rate, { name })),
      ).toBe(message);
      const direct =
        kind === 'tax'
          ? `insert into tax_rates (name, effective_from, rate) values ($1, '2026-12-01', $2)`
          : `insert into pay_rates (kind, effective_from, rate, source) values ($1, '2026-12-01', $2, 'Law')`;
      expect(await why(client, () => asOwner(client, direct, [name ?? kind, rate]))).toBe(message);
    }),
  );

  test('beginning in 2199 is refused', () =>
    story(async (client) => {
      expect(
        await why(client, () => propose(client, finance, 'lrd_per_usd', '2199-01-01', 190)),
      ).toBe('A rate begins between January 1, 2000 and twenty years from now.');
    }));
});

test('limits of rates are those of the form', async () => {
  for (const [kind, { least, most, problem }] of Object.entries(RATE_LIMITS)) {
    const { rows } = await database.owner.query<{ problem: string | null }>(
      'select private.rate_problem($1, r, null) as problem from unnest($2::numeric[]) r',
      [kind, [least, most, least - 0.000001, most + 0.000001]],
    );
    expect(rows.map((row) => row.problem)).toEqual([
      null,
      null,
      least === 0 ? `A rate can't be negative.` : problem,
      problem,
    ]);
  }
});

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

describe('bands of income tax', () => {
  test('of one day are approved together, and deleted together', () =>
    story(async (client) => {
      const top = await propose(client, finance, 'income_tax', '2027-01-01', 0.2, {
        from: 100_000,
      });
      expect(await why(client, () => approve(client, admin, top))).toMatch(
        /^The bands of a day begin at L\$0\./,
      );
      await propose(client, finance, 'income_tax', '2027-01-01', 0);
      await approve(client, admin, top);
      const bands = () =>
        asOwner(
          client,
          `select rate::float8 as rate from pay_rates where kind = 'income_tax' and effective_from = '2027-01-01' order by 1`,
        );
      expect(await bands()).toEqual([{ rate: 0 }, { rate: 0.2 }]);
      await as(client, finance, 'delete from pay_rates where id = $1', [top]);
      expect(await bands()).toEqual([]);
      expect(await rateOn(client, 'income_tax', '2027-01-31')).toBeDefined();
    }));
});

describe('a tax on invoices', () => {
  test('counts when approved, and stays once an issued invoice used it', () =>
    story(async (client) => {
      await approve(
        client,
        admin,
        await propose(client, finance, 'tax', '2026-01-01', 0.1, { name: 'VAT' }),
      );
      const invoice = await addDraft(client, await addClient(client, 'Embassy'), [
        { amount: 50, tax: 0.1 },
      ]);
      await asOwner(client, `update invoice_lines set tax_name = 'VAT' where invoice_id = $1`, [
        invoice,
      ]);
      await as(client, finance, `delete from tax_rates where name = 'VAT'`);
      await approve(
        client,
        admin,
        await propose(client, finance, 'tax', '2026-01-01', 0.1, { name: 'VAT' }),
      );
      await issueAsIs(client, invoice);
      const used =
        'Issued invoices use VAT up to September 30, 2026. Add a rate that begins after it.';
      expect(
        await why(client, () => as(client, finance, `delete from tax_rates where name = 'VAT'`)),
      ).toBe(used);
      expect(
        await why(client, () =>
          asOwner(client, `update tax_rates set rate = 0.18 where name = 'VAT'`),
        ),
      ).toBe(used);
      expect(
        await why(client, () =>
          propose(client, finance, 'tax', '2026-09-30', 0.18, { name: 'VAT' }),
        ),
      ).toBe(used);
      const next = await propose(client, finance, 'tax', '2027-01-01', 0.18, { name: 'VAT' });
      const on = async (day: string) =>
        Number(
          (await asOwner(client, `select private.tax_rate_on('VAT', $1) as rate`, [day]))[0].rate,
        );
      expect(await on('2027-01-31')).toBe(0.1);
      await approve(client, admin, next);
      expect([await on('2026-12-31'), await on('2027-01-31')]).toEqual([0.1, 0.18]);
    }));
});

test('the others who may approve are told of a proposal', () =>
  story(async (client) => {
    await propose(client, finance, 'nasscorp_employee', '2026-12-01', 0.05);
    const told = await asOwner(
      client,
      `select distinct u.role from notices n join user_roles u on u.user_id = n.user_id
       where n.title = 'A rate waits for your approval' and n.user_id <> $1`,
      [finance.id],
    );
    expect(told).toEqual([{ role: 'admin' }]);
    const own = await asOwner(
      client,
      `select from notices where title = 'A rate waits for your approval' and body like '%December 1, 2026%' and user_id = $1`,
      [finance.id],
    );
    expect(own).toEqual([]);
  }));

test('a proposal is withdrawn, and not entered twice', () =>
  story(async (client) => {
    const id = await propose(client, finance, 'lrd_per_usd', '2026-12-01', 190);
    await as(client, finance, 'delete from rate_proposals where id = $1', [id]);
    await approve(client, admin, await propose(client, finance, 'lrd_per_usd', '2026-12-01', 191));
    expect(
      await why(client, () => propose(client, finance, 'lrd_per_usd', '2026-12-01', 192)),
    ).toBe('A rate of this kind begins on that day already. Delete it first.');
  }));
