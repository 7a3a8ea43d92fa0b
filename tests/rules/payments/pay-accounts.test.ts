// Where pay goes: numbers in one form, each used by one person, checked by a second one.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, finance, hr, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, REFUSED, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let musu: string;
let korpo: string;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query('delete from pay_accounts');
  const { rows } = await database.owner.query<{ id: string }>(
    `insert into staff (full_name, salary_amount) values ('Musu Flomo', 143), ('Korpo Kollie', 143) returning id`,
  );
  [musu = '', korpo = ''] = rows.map(({ id }) => id);
});

type Account = { id: string; account_number: string | null; verified_by: string | null };

const add = async (
  client: PoolClient,
  staff: string,
  channel: string,
  number: string | null,
  bank: string | null = null,
) => {
  const { rows } = await client.query<Account>(
    `insert into pay_accounts (staff_id, channel, account_name, account_number, bank_name)
     values ($1, $2, 'M. Flomo', $3, $4) returning id, account_number, verified_by`,
    [staff, channel, number, bank],
  );
  return rows[0] ?? { id: '', account_number: null, verified_by: null };
};

const verify = async (client: PoolClient, person: Person, { id, account_number }: Account) => {
  await become(client, person);
  const { rows } = await client.query<Account>('select * from verify_pay_account($1, $2)', [
    id,
    account_number,
  ]);
  return rows[0]?.verified_by;
};

const as = (person: Person, work: (client: PoolClient) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await become(client, person);
    await work(client);
  });

describe('a number', () => {
  test.each([
    ['mtn_momo', '0880 123 456', null, '+231880123456'],
    ['orange_money', '+231 77 012 3456', null, '+231770123456'],
    ['bank', '00-12 345.678 a', 'Ecobank', '0012345678A'],
    ['cash', null, null, null],
  ])('of %s is stored in one form', (channel, written, bank, stored) =>
    as(finance, async (client) => {
      expect((await add(client, musu, channel, written, bank)).account_number).toBe(stored);
    }),
  );

  test.each([
    ['mtn_momo', 'no number', null],
    ['mtn_momo', null, null],
    ['bank', '12', 'Ecobank'],
    ['bank', '0012345678', null],
    ['cash', '0880123456', null],
    ['cheque', null, null],
  ])('that does not fit its channel is refused: %s %s', (channel, written, bank) =>
    as(finance, async (client) => {
      expect(await attempt(client, () => add(client, musu, channel, written, bank))).toBe('23514');
    }),
  );

  test('is used by one person only, however it is written, and the refusal names them', () =>
    as(finance, async (client) => {
      await add(client, musu, 'mtn_momo', '0880123456');
      const error = await refusal(client, () => add(client, korpo, 'mtn_momo', '+231 880 123 456'));
      expect(error.code).toBe('23505');
      expect(error.message).toBe('This account number is already used by Musu Flomo.');
      // The same digits at another network are another account.
      await add(client, korpo, 'orange_money', '0880123456');
    }));

  test('of another person is not revealed to users who see no pay', () =>
    rolledBack(database.owner, async (client) => {
      await add(client, musu, 'mtn_momo', '0880123456');
      await become(client, hr);
      const error = await refusal(client, () => add(client, korpo, 'mtn_momo', '0880123456'));
      expect(error.code).toBe(REFUSED);
      expect(error.message).not.toContain('Musu');
    }));

  test('of one person is the only one: a second account is refused', () =>
    as(finance, async (client) => {
      await add(client, musu, 'mtn_momo', '0880123456');
      expect(await attempt(client, () => add(client, musu, 'cash', null))).toBe('23505');
    }));
});

describe('verifying', () => {
  test('takes a second person', () =>
    as(finance, async (client) => {
      const account = await add(client, musu, 'mtn_momo', '0880123456');
      expect(account.verified_by).toBeNull();
      const error = await refusal(client, () => verify(client, finance, account));
      expect(error.message).toBe('You entered this account. A second person has to verify it.');
      expect(await verify(client, admin, account)).toBe(admin.id);
      // Again is harmless.
      expect(await verify(client, admin, account)).toBe(admin.id);
    }));

  test('is about what the second person saw', () =>
    as(finance, async (client) => {
      const seen = await add(client, musu, 'mtn_momo', '0880123456');
      await client.query(`update pay_accounts set account_number = '0880999999'`);
      const error = await refusal(client, () => verify(client, admin, seen));
      expect(error.code).toBe('PT409');
    }));

  test('is not for the owner of the account', () =>
    as(admin, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'select id from staff where user_id = $1',
        [finance.id],
      );
      const own = await add(client, rows[0]?.id ?? '', 'mtn_momo', '0880123456');
      const error = await refusal(client, () => verify(client, finance, own));
      expect(error.message).toBe('Your own account has to be verified by another person.');
    }));

  test('is lost by any change of the account, and then not for the one who changed it', () =>
    as(finance, async (client) => {
      const account = await add(client, musu, 'bank', '0012345678', 'Ecobank');
      await verify(client, admin, account);
      await client.query(`update pay_accounts set account_name = account_name`);
      const verified = async () =>
        (await client.query('select verified_by, verified_at from pay_accounts')).rows;
      expect(await verified()).toMatchObject([{ verified_by: admin.id }]);
      await client.query(`update pay_accounts set bank_name = 'LBDI'`);
      expect(await verified()).toEqual([{ verified_by: null, verified_at: null }]);
      const error = await refusal(client, () => verify(client, admin, account));
      expect(error.code).toBe(REFUSED);
      expect(await verify(client, finance, account)).toBe(finance.id);
    }));

  test.each([
    `update pay_accounts set verified_by = '${admin.id}', verified_at = now()`,
    `insert into pay_accounts (staff_id, channel, account_name, verified_by, verified_at)
     select id, 'cash', full_name, '${admin.id}', now() from staff where full_name = 'Korpo Kollie'`,
  ])('can’t be skipped by writing the columns: %s', (sql) =>
    as(finance, async (client) => {
      await add(client, musu, 'mtn_momo', '0880123456');
      expect(await attempt(client, () => client.query(sql))).toBe(REFUSED);
    }),
  );

  test('by the service key keeps the second person too', () =>
    as(finance, async (client) => {
      await add(client, musu, 'mtn_momo', '0880123456');
      await client.query('set local role service_role');
      const sql = `update pay_accounts set verified_by = '${finance.id}', verified_at = now()`;
      expect(await attempt(client, () => client.query(sql))).toBe('23514');
    }));

  test('is for admins and finance', () =>
    as(finance, async (client) => {
      const account = await add(client, musu, 'mtn_momo', '0880123456');
      const error = await refusal(client, () => verify(client, hr, account));
      expect(error.code).toBe(REFUSED);
    }));
});
