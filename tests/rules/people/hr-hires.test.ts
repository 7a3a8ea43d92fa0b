// HR hires guards, and manages those who have no role of the office.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  contactHere,
  dispatcher,
  finance,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  supervisorHere,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const asHr = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
  rolledBack(database.owner, async (client) => {
    await become(client, hr);
    return work(client);
  });

const moses = (more: Record<string, unknown> = {}) =>
  JSON.stringify([{ full_name: 'Moses Kollie', phone: '0770 123 456', ...more }]);

const HIRE = 'select user_id, code from hire_people($1)';

const withoutPay = async (client: PoolClient) =>
  (
    await client.query<{ full_name: string }>('select full_name from people_without_pay()')
  ).rows.map(({ full_name }) => full_name);

describe('the day of hire', () => {
  const hiredOn = async (client: PoolClient, id: unknown) =>
    (await client.query('select hired_on($1)::text as day', [id])).rows[0]?.day;

  test('is known from the day on which HR hires, and then is that of the pay record', async () => {
    await asHr(async (client) => {
      const { rows } = await client.query(HIRE, [moses({ hire_date: '2026-03-02' })]);
      const id: unknown = rows[0]?.user_id;
      expect(await hiredOn(client, id)).toBe('2026-03-02');
      // For the form of the pay record.
      await become(client, finance);
      expect(await hiredOn(client, id)).toBe('2026-03-02');
      await client.query(
        `insert into staff (full_name, salary_amount, user_id, hire_date) values ('Moses Kollie', 180, $1, '2026-03-01')`,
        [id],
      );
      expect(await hiredOn(client, id)).toBe('2026-03-01');
    });
  });

  test('is today in the company’s zone, if none is given', async () => {
    await asHr(async (client) => {
      const { rows } = await client.query(HIRE, [moses()]);
      await becomeOwner(client);
      const today = (await client.query('select private.company_date()::text as day')).rows[0]?.day;
      await become(client, hr);
      expect(await hiredOn(client, rows[0]?.user_id)).toBe(today);
    });
  });

  test('of another century is refused', async () => {
    await asHr(async (client) => {
      await expect(client.query(HIRE, [moses({ hire_date: '1026-03-02' })])).rejects.toThrow(
        'hire_days_hired_on_check',
      );
    });
  });
});

describe('HR hires', () => {
  test('a guard with a start code; finance sees that the pay record is to be added', async () => {
    await asHr(async (client) => {
      const { rows } = await client.query<{ user_id: string; code: string }>(HIRE, [moses()]);
      const [hired] = rows;
      expect(hired?.code).toMatch(/^\d{12}$/);
      const listed = await client.query('select roles, missing from people_list where id = $1', [
        hired?.user_id,
      ]);
      expect(listed.rows).toEqual([
        { roles: ['guard'], missing: ['photo', 'home', 'sign_in', 'pay'] },
      ]);
      await become(client, finance);
      expect(await withoutPay(client)).toContain('Moses Kollie');
      await client.query(
        `insert into staff (full_name, salary_amount, user_id) values ('Moses Kollie', 180, $1)`,
        [hired?.user_id],
      );
      expect(await withoutPay(client)).not.toContain('Moses Kollie');
      await become(client, hr);
      const after = await client.query('select missing from people_list where id = $1', [
        hired?.user_id,
      ]);
      expect(after.rows).toEqual([{ missing: ['photo', 'home', 'sign_in'] }]);
    });
  });

  test.each([
    ['an administrator', { role: 'admin' }],
    ['a supervisor', { role: 'supervisor' }],
    ['pay', { salary_amount: 180 }],
    ['an account for a record of staff', { staff_id: guardHere.id }],
  ])('not %s', async (_what, more) => {
    await asHr(async (client) => {
      expect(await attempt(client, () => client.query(HIRE, [moses(more)]))).toBe(REFUSED);
    });
  });
});

describe('HR manages', () => {
  const CALLS: [string, string][] = [
    ['start codes', 'select create_start_code($1)'],
    ['addresses', `select edit_person($1, 'New Name', null, '0770 555 123')`],
    ['what ends with an employment', 'select employment_ties($1)'],
    ['the end of an employment', 'select end_employment($1, private.company_date())'],
  ];

  test.each(CALLS)('%s of guards, and of people without a role', async (_what, sql) => {
    for (const person of [guardElsewhere, newcomer]) {
      await asHr(async (client) => {
        expect(await attempt(client, () => client.query(sql, [person.id]))).toBeUndefined();
      });
    }
  });

  test.each(CALLS)(
    'no %s of the office, of contacts of clients, or their own',
    async (_what, sql) => {
      for (const person of [admin, dispatcher, supervisorHere, contactHere, hr]) {
        await asHr(async (client) => {
          expect(await attempt(client, () => client.query(sql, [person.id])), person.name).toBe(
            REFUSED,
          );
        });
      }
    },
  );

  test('no guard who has a role of the office too', async () => {
    await asHr(async (client) => {
      await becomeOwner(client);
      await client.query(`insert into user_roles (user_id, role) values ($1, 'finance')`, [
        guardElsewhere.id,
      ]);
      await become(client, hr);
      const code = () => client.query('select create_start_code($1)', [guardElsewhere.id]);
      expect(await attempt(client, code)).toBe(REFUSED);
    });
  });

  test('nobody’s return: only admins enable an account', async () => {
    await asHr(async (client) => {
      await client.query('select end_employment($1, private.company_date())', [guardElsewhere.id]);
      const enable = () =>
        client.query('select set_account_disabled($1, false)', [guardElsewhere.id]);
      expect(await attempt(client, enable)).toBe(REFUSED);
    });
  });
});
