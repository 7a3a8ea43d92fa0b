// Pay accounts of many people: a file is imported as a whole or not at all; a second person verifies them together.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, finance, hr, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `delete from pay_accounts;
     insert into staff (full_name, email, phone, salary_amount, status) values
       ('Musu Flomo', 'musu@example.com', '0770 111 222', 143, 'active'),
       ('Korpo Kollie', null, '+231880333444', 143, 'active'),
       ('Sundaygar Dolo', null, null, 143, 'active'), ('Sundaygar Dolo', null, null, 143, 'active'),
       ('Former Guard', null, null, 143, 'inactive')`,
  );
});

const as = (person: Person, work: (client: PoolClient) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await become(client, person);
    await work(client);
  });

const MOMO = { channel: 'mtn_momo', account_number: '0880 123 456' };

const imported = async (client: PoolClient, rows: object[], isTrial = false) =>
  (await client.query('select * from import_pay_accounts($1, $2)', [JSON.stringify(rows), isTrial]))
    .rows;

const accounts = async (client: PoolClient) =>
  (
    await client.query<{ id: string; number: string | null; account_name: string }>(
      'select id, account_number as number, account_name, verified_by from pay_accounts order by account_number',
    )
  ).rows;

describe('an import', () => {
  test.each(['Musu Flomo', ' musu  FLOMO ', 'MUSU@example.com', '+231 770 111 222'])(
    'finds the person by name, email or phone: %s',
    (person) =>
      as(finance, async (client) => {
        expect(await imported(client, [{ person, ...MOMO }])).toEqual([
          { line: 1, full_name: 'Musu Flomo', problem: null },
        ]);
        expect(await accounts(client)).toMatchObject([
          { number: '+231880123456', account_name: 'Musu Flomo', verified_by: null },
        ]);
      }),
  );

  test('that is tried stores nothing', () =>
    as(finance, async (client) => {
      expect(await imported(client, [{ person: 'Musu Flomo', ...MOMO }], true)).toMatchObject([
        { problem: null },
      ]);
      expect(await accounts(client)).toEqual([]);
    }));

  test.each<[object, string]>([
    [{ person: 'Nobody', ...MOMO }, 'No active staff member'],
    [{ person: 'Sundaygar Dolo', ...MOMO }, 'or more than one'],
    [{ person: 'Former Guard', ...MOMO }, 'No active staff member'],
    [{ person: 'Korpo Kollie', ...MOMO, channel: 'cheque' }, 'Choose Bank'],
    [{ person: 'Korpo Kollie', channel: 'mtn_momo', account_number: 'x' }, 'is not a phone number'],
    [{ person: 'Korpo Kollie', channel: 'mtn_momo' }, 'Cash has no number'],
    [{ person: 'Korpo Kollie', channel: 'bank', account_number: '12345' }, 'the name of the bank'],
    [{ person: 'Musu Flomo', ...MOMO, account_number: '0770999888' }, 'in the file twice'],
    [{ person: 'Korpo Kollie', ...MOMO }, 'already used by Musu Flomo'],
  ])('with a wrong row stores none, and says why: %o', (row, reason) =>
    as(finance, async (client) => {
      const rows = [{ person: 'Musu Flomo', ...MOMO }, row];
      const [good, wrong] = await imported(client, rows, true);
      expect(good.problem).toBeNull();
      expect(wrong.problem).toContain(reason);
      const error = await refusal(client, () => imported(client, rows));
      expect(error.message).toContain("Nothing was imported: 1 of 2 rows can't be. Row 3: ");
      const withLines = await refusal(client, () =>
        client.query('select * from import_pay_accounts($1, false, $2)', [
          JSON.stringify(rows),
          [4, 9],
        ]),
      );
      expect(withLines.message).toContain("1 of 2 rows can't be. Row 9: ");
      expect(await accounts(client)).toEqual([]);
    }),
  );

  test('is closed to HR', () =>
    as(hr, async (client) => {
      const error = await refusal(client, () => imported(client, [{ person: 'x', ...MOMO }]));
      expect(error.code).toBe('42501');
    }));
});

describe('verifying many', () => {
  const TWO = [
    { person: 'Musu Flomo', ...MOMO },
    { person: 'Korpo Kollie', channel: 'cash' },
  ];
  const verify = (client: PoolClient, rows: object[]) =>
    client.query('select verify_pay_accounts($1) as count', [JSON.stringify(rows)]);

  test('needs a second person, and takes all or none', () =>
    as(finance, async (client) => {
      await imported(client, TWO);
      const seen = await accounts(client);
      expect((await refusal(client, () => verify(client, seen))).message).toContain(
        'A second person has to verify it.',
      );
      await become(client, admin);
      const changed = seen.map((one) => ({ ...one, number: one.number && '+231880000000' }));
      const error = await refusal(client, () => verify(client, changed));
      expect(error.message).toBe(
        "Nothing was verified: 1 of 2 rows can't be. Musu Flomo: The account has been changed since. Check it again.",
      );
      expect(await accounts(client)).toMatchObject([{ verified_by: null }, { verified_by: null }]);
      expect((await verify(client, seen)).rows).toEqual([{ count: 2 }]);
      expect(await accounts(client)).toMatchObject([
        { verified_by: admin.id },
        { verified_by: admin.id },
      ]);
    }));

  test('is closed to HR', () =>
    as(hr, async (client) => {
      const row = { id: '00000000-0000-0000-0000-000000000000' };
      expect((await refusal(client, () => verify(client, [row]))).code).toBe('42501');
    }));
});
