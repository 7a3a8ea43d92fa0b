// Phone numbers in the database: read as in the browser, and stored ones written again by the same rules.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { toE164 } from '#shared/phone.ts';
import { PHONE_NUMBERS } from '#shared/phone-examples.ts';
import { guardElsewhere, guardHere, hr } from '#tests/support/people.ts';
import { buildScene } from '#tests/support/scene.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await buildScene(database.owner);
});

async function readByDatabase(written: readonly string[]) {
  const { rows } = await database.owner.query<{ number: string | null }>(
    'select private.e164(w) as number from unnest($1::text[]) with ordinality t (w, n) order by n',
    [written],
  );
  return rows.map(({ number }) => number ?? undefined);
}

test('are read as in the browser', async () => {
  expect(await readByDatabase(PHONE_NUMBERS.map(([written]) => written))).toEqual(
    PHONE_NUMBERS.map(([, number]) => number),
  );
});

test('are read as in the browser, whatever is written', async () => {
  const parts = ['+', '00', '0', '231', '(0)', '(', ')', '7', '12', '345', '6789012', 'E', "'"];
  const noise = [
    ' ',
    '-',
    '.',
    '/',
    '\u00A0',
    '\u202A',
    '\u200B',
    '\u2011',
    '\t',
    '\u3000',
    '\u0085',
  ];
  const written = fc.sample(
    fc
      .array(fc.constantFrom(...parts, ...parts, ...noise), { maxLength: 8 })
      .map((all) => all.join('')),
    { numRuns: 5000, seed: 7 },
  );
  expect(await readByDatabase(written)).toEqual(written.map(toE164));
});

test('that were stored with the trunk 0 are written again, and no account is lost', async () => {
  const migration = await readFile(
    new URL('../../../supabase/migrations/20261225000200_phone_numbers.sql', import.meta.url),
    'utf8',
  );
  const people = [guardHere.id, guardElsewhere.id, hr.id];
  await rolledBack(database.owner, async (client) => {
    const setPhone = (id: string, phone: string) =>
      client.query('update auth.users set phone = $2 where id = $1', [id, phone]);
    await client.query(
      `create or replace function private.e164(written text) returns text language sql immutable as 'select written'`,
    );
    await setPhone(guardHere.id, '2310779012345');
    // Two accounts that become one number: the one that is right keeps it.
    await setPhone(guardElsewhere.id, '2310779012399');
    await setPhone(hr.id, '231779012399');
    const { rows: staff } = await client.query<{ id: string }>(
      `insert into staff (full_name, salary_amount, phone) values ('Imported twice', 1, '''+231770123456') returning id`,
    );
    await client.query(
      `insert into pay_accounts (staff_id, channel, account_name, account_number) values ($1, 'mtn_momo', 'A', $2)`,
      [staff[0]?.id, '+2310779012345'],
    );
    // An index on the function, with two people whose numbers become one, and a record imported beside the one that it came from.
    await client.query(`
      alter table staff add column if not exists is_separate boolean not null default false;
      create unique index if not exists staff_one_per_phone on staff (private.e164(phone))
        where status = 'active' and not is_separate;
      reindex index staff_one_per_phone;
      insert into staff (full_name, salary_amount, phone, created_at) values
        ('Twin 1', 1, '+231779017777', '2026-01-01'), ('Twin 2', 1, '+231 (0)77 901 7777', '2026-01-02'),
        ('Own', 1, '+231779018888', '2026-01-01'), ('Again', 1, '''+231779018888', '2026-01-02')`);
    const count = async () =>
      (await client.query('select count(*)::int as n from auth.users')).rows[0];
    const before = await count();
    await client.query(migration);
    expect(await count()).toEqual(before);
    const { rows } = await client.query(
      `select u.phone, p.phone as profile from auth.users u join profiles p using (id)
       where u.id = any ($1) order by array_position($1, u.id)`,
      [people],
    );
    expect(rows).toEqual([
      { phone: '231779012345', profile: '+231779012345' },
      { phone: '2310779012399', profile: '+231779012399' },
      { phone: '231779012399', profile: '+231779012399' },
    ]);
    const person = await client.query(
      'select s.phone, a.account_number from staff s join pay_accounts a on a.staff_id = s.id where s.id = $1',
      [staff[0]?.id],
    );
    expect(person.rows).toEqual([{ phone: '+231770123456', account_number: '+231779012345' }]);
    const twins = await client.query(
      `select full_name, phone, is_separate from staff where full_name ~ '^(Twin|Own|Again)' order by phone collate "C", full_name`,
    );
    expect(twins.rows.map((row) => Object.values(row))).toEqual([
      ['Again', "'+231779018888", false],
      ['Twin 2', '+231 (0)77 901 7777', true],
      ['Twin 1', '+231779017777', false],
      ['Own', '+231779018888', false],
    ]);
    await client.query('set local enable_seqscan = off');
    const found = await client.query(
      `select full_name from staff where private.e164(phone) = '+231779017777' and status = 'active' and not is_separate`,
    );
    expect(found.rows).toEqual([{ full_name: 'Twin 1' }]);
  });
});
