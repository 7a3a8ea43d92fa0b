// Rates of pay, exchange and tax are dated, and count once a second person has approved them.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '#shared/rate-limits.ts';
import { as, asOwner, why } from '#tests/support/books.ts';
import { admin, finance, opsManager } from '#tests/support/people.ts';
import { approve, propose, rateOn } from '#tests/support/rates.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const story = (work: (client: PoolClient) => Promise<void>) => rolledBack(database.owner, work);
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
