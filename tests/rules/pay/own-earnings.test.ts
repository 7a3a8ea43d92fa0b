// What a guard has earned so far: the function of the pay run, applied to the records of today, and nobody else's.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { bystander, guardHere, type Person } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments; truncate staff cascade; truncate timesheets cascade`);
});

const MINUTE = `date_trunc('minute', now())`;

type Row = Record<string, unknown>;

class EarningStory {
  constructor(private readonly client: PoolClient) {}

  async owner(sql: string, values: unknown[] = []): Promise<Row[]> {
    await becomeOwner(this.client);
    return (await this.client.query<Row>(sql, values)).rows;
  }

  async hire(person: Person, columns: Row): Promise<void> {
    const all: Row = {
      full_name: person.name,
      user_id: person.id,
      hire_date: '2026-01-01',
      ...columns,
    };
    const places = Object.keys(all).map((_, index) => `$${index + 1}`);
    await this.owner(
      `insert into staff (${Object.keys(all).join(', ')}) values (${places.join(', ')})`,
      Object.values(all),
    );
  }

  /** Two hours of work that ended an hour ago, on whole minutes: midnight may part them, and parts of minutes are not paid. */
  async works(person: Person): Promise<void> {
    await this.owner(
      `with shift as (
         insert into shifts (site_id, start_time, end_time)
         values ($1, ${MINUTE} - interval '3 hours', ${MINUTE} - interval '1 hour') returning id
       ), seat as (
         insert into assignments (shift_id, user_id) select id, $2 from shift returning id
       )
       insert into attendance (assignment_id, clock_in_at, clock_in_gps, clock_out_at, clock_out_gps)
       select id, ${MINUTE} - interval '3 hours', '6.3,-10.8', ${MINUTE} - interval '1 hour', '6.3,-10.8' from seat`,
      [scene.sites.here, person.id],
    );
  }

  async earns(person: Pick<Person, 'claims'>): Promise<Row[]> {
    await become(this.client, person);
    return (await this.client.query<Row>('select * from my_earnings()')).rows;
  }

  /** Minutes of that work since the period began. */
  async minutesSince(day: unknown): Promise<number> {
    const [row] = await this.owner(
      `select round(extract(epoch from greatest(interval '0',
         (${MINUTE} - interval '1 hour') - greatest(${MINUTE} - interval '3 hours', private.company_midnight($1::date)))) / 60)::int
         as minutes`,
      [day],
    );
    return Number(row?.minutes);
  }
}

const story = (work: (story: EarningStory) => Promise<void>) =>
  rolledBack(database.owner, (client) => work(new EarningStory(client)));

describe('what a guard earns', () => {
  test('is their hours so far at their wage, before anybody approves them', () =>
    story(async (s) => {
      await s.hire(guardHere, { pay_basis: 'hourly', salary_amount: 1.5 });
      await s.works(guardHere);
      const [row] = await s.earns(guardHere);
      const minutes = await s.minutesSince(row?.period_start);
      expect(row).toMatchObject({ currency: 'USD', basis: 'hourly', minutes });
      expect(Number(row?.amount)).toBeGreaterThanOrEqual((minutes / 60) * 1.5 - 0.01);
      expect(await s.earns(bystander)).toEqual([]);
    }));

  test.each([
    { pay_basis: 'hourly', salary_amount: 1.5 },
    { pay_basis: 'salary', salary_amount: 143 },
    { pay_basis: 'shift', salary_amount: 12, currency: 'LRD' },
    { pay_basis: 'hourly', salary_amount: 1.5, payment_frequency: 'weekly' },
  ])('is what the pay run pays for the same records once they are approved: %o', (terms) =>
    story(async (s) => {
      await s.hire(guardHere, terms);
      await s.works(guardHere);
      const [row] = await s.earns(guardHere);
      const { period_start: from, period_end: to, currency, amount } = row ?? {};
      await s.owner('select private.compute_time(array[$1::uuid], $2, $3)', [
        guardHere.id,
        from,
        to,
      ]);
      await s.owner(`update timesheets set status = 'approved' where user_id = $1`, [guardHere.id]);
      const [run] = await s.owner(
        `select coalesce(sum(e.amount), 0) as amount
         from staff f cross join lateral private.earning_lines(f.payment_frequency, $1, $2, $3, array[f.id]) e`,
        [currency, from, to],
      );
      expect(Number(amount)).toBe(Number(run?.amount));
    }),
  );

  test('never adds currencies: a wage in another one from today is a row of its own', () =>
    story(async (s) => {
      await s.hire(guardHere, { pay_basis: 'salary', salary_amount: 143 });
      await s.owner(
        `insert into pay_bases (staff_id, basis, payment_frequency, amount, currency, effective_from)
         select id, 'salary', 'monthly', 27000, 'LRD',
           least(private.company_date() + 1, (date_trunc('month', private.company_date()) + interval '1 month - 1 day')::date)
         from staff where user_id = $1`,
        [guardHere.id],
      );
      const rows = await s.earns(guardHere);
      expect(rows.map(({ currency }) => currency).sort()).toEqual(['LRD', 'USD']);
    }));

  test('is unknown without a staff record, and for whoever is not signed in', () =>
    story(async (s) => {
      await s.works(guardHere);
      expect(await s.earns(guardHere)).toEqual([]);
      await expect(s.earns({ claims: null })).rejects.toThrow(/permission denied/);
    }));
});
