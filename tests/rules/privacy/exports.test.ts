// An export of another person has no value that its reader could not read by the policies; one's own has all of one's own.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, finance, guardHere, hr, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  for (const { id } of [guardHere, admin]) {
    await database.owner.query(
      `insert into notices (user_id, kind, title, body) values ($1, 'pay', 'Your pay', 'Net pay: US$176.69')`,
      [id],
    );
    await database.owner.query(
      `insert into auth.sessions (id, user_id, created_at, updated_at, ip) values (gen_random_uuid(), $1, now(), now(), '203.0.113.77')`,
      [id],
    );
  }
});

interface Part {
  target: string;
  belongs: string;
  withheld: string[];
}

type Row = Record<string, unknown>;
type Exported = Record<string, Row[]>;

const parts = async (client: PoolClient) =>
  (
    await client.query<Part>(
      'select target, belongs, withheld from private.personal_data where withheld is not null order by target',
    )
  ).rows;

const exportOf = async (client: PoolClient, caller: Person, person: Person): Promise<Exported> => {
  await become(client, caller);
  const { rows } = await client.query<{ tables: Exported }>(
    `select export_person($1) -> 'tables' as tables`,
    [person.id],
  );
  return rows[0]?.tables ?? {};
};

/** The rows of the part, of all people, with the columns that the current role may read. */
const readable = async (client: PoolClient, { target }: Part): Promise<Row[]> => {
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped
       and has_column_privilege(attrelid, attnum, 'select')`,
    [target],
  );
  let found: Row[] = [];
  const refused = await attempt(client, async () => {
    const { rows } = await client.query<{ row: Row }>(
      `select to_jsonb(r) as row from (select ${columns.map(({ name }) => name).join(', ')} from ${target}) r`,
    );
    found = rows.map(({ row }) => row);
  });
  return refused === undefined ? found : [];
};

const belonging = async (client: PoolClient, { target, belongs }: Part, person: Person) => {
  const { rows } = await client.query<{ row: Row }>(
    `select to_jsonb(r) as row from ${target} r where ${belongs
      .replaceAll('$1', `'${person.id}'::uuid`)
      .replaceAll('$2', `(select id from public.staff where user_id = '${person.id}')`)}`,
  );
  return rows.map(({ row }) => row);
};

const nameOf = ({ target }: Part) => target.replace(/^.*\./, '');

test.each([
  ['an admin', admin, guardHere],
  ['hr', hr, guardHere],
  ['hr, of an admin', hr, admin],
  ['an admin, of hr', admin, hr],
  ['an admin, of finance', admin, finance],
])('each column that %s exports is one that they read', (_name, caller, person) =>
  rolledBack(database.owner, async (client) => {
    const listed = await parts(client);
    const exported = await exportOf(client, caller, person);
    expect(Object.keys(exported)).toContain('profiles');
    for (const [table, rows] of Object.entries(exported)) {
      await become(client, caller);
      const seen: Row[] = [];
      for (const part of listed.filter((each) => nameOf(each) === table)) {
        seen.push(...(await readable(client, part)));
      }
      for (const row of rows) expect(seen).toContainEqual(expect.objectContaining(row));
    }
    // Nothing that is read on their screens is missing.
    for (const part of listed.filter(({ target }) => target.startsWith('public.'))) {
      await becomeOwner(client);
      const ids = new Set((await belonging(client, part, person)).map(({ id }) => id));
      await become(client, caller);
      const mine = (await readable(client, part)).filter(({ id }) => ids.has(id));
      expect((exported[nameOf(part)] ?? []).length, part.target).toBeGreaterThanOrEqual(
        mine.length,
      );
    }
  }),
);

test('hr exports no pay, no notices and no sessions of others', () =>
  rolledBack(database.owner, async (client) => {
    for (const person of [guardHere, admin]) {
      const exported = await exportOf(client, hr, person);
      const text = JSON.stringify(exported);
      expect(text).not.toContain('Net pay');
      expect(text).not.toContain('203.0.113.77');
      for (const table of [
        'notices',
        'sessions',
        'identities',
        'audit_log_entries',
        'payslips',
        'pay_accounts',
      ]) {
        expect(Object.keys(exported)).not.toContain(table);
      }
    }
  }));

test.each([
  ['a guard', guardHere],
  ['an admin', admin],
  ['hr', hr],
])('%s downloads every row and column of their own', (_name, person) =>
  rolledBack(database.owner, async (client) => {
    const listed = await parts(client);
    const expected = new Map<string, Row[]>();
    for (const part of listed) {
      const rows = (await belonging(client, part, person)).map((row) =>
        Object.fromEntries(
          Object.entries(row).filter(([column]) => !part.withheld.includes(column)),
        ),
      );
      expected.set(nameOf(part), [...(expected.get(nameOf(part)) ?? []), ...rows]);
    }
    const exported = await exportOf(client, person, person);
    for (const [table, rows] of expected) {
      expect(exported[table] ?? [], table).toHaveLength(rows.length);
      for (const row of rows) expect(exported[table]).toContainEqual(row);
    }
    expect(JSON.stringify(exported)).toContain(person === hr ? hr.id : 'Net pay: US$176.69');
  }),
);
