// What a client's contact reaches: rows of the own client, and nothing else by any table, view, function, bucket or channel.
// Tables, views, functions and buckets come from the catalogue, so that a new one is tried without being named here.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TableName } from '#shared/permissions.ts';
import { contactHere, formerContact, guardHere, type Person } from '#tests/support/people.ts';
import { ordinary, type Routine, readRoutines } from '#tests/support/routines.ts';
import type { Scene, SceneRow } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

/** Functions that may change something for a contact, each with the reason. */
const MAY_WRITE: Record<string, string> = {
  acknowledge_letter: 'Records that they have read a report of the own client.',
  end_delivery_token: 'Ends the token that is sent, of which a contact has none.',
  end_left_session: 'Ends the session whose proof is sent.',
  end_session: 'Ends a session of their own.',
  read_notices: 'Marks their own notices as read, of which there are none.',
  send_client_request: 'Writes to the company, for the own client.',
  renew_offers: 'Passes over offers of shifts that the caller does not plan.',
};

/** Tables in which calling all of them leaves a change. */
const CHANGED_TABLES: string[] = ['client_requests', 'notices'];

/** Views without the policies of their tables that show a contact something. */
const SHOWN_VIEWS: string[] = [];

/** Refused: a missing privilege, a value out of range, or a 4xx status that the function chose. */
const REFUSALS = /^(42501|22...|23...|PT4..|P0002)$/;

let database: TestDatabase;
let scene: Scene;
let routines: Routine[];

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  routines = await readRoutines(database.owner);
});

/** Whether the contact may learn that this row exists. */
function isKnownTo(person: Person, table: TableName, row: SceneRow): boolean {
  if (row.owner === person.id) return true;
  const isOwn = row.client === person.contactOf || row.site === person.contactOf;
  return person.contactOf !== undefined && isOwn && OWN.includes(table);
}
const OWN: TableName[] = [
  'clients',
  'sites',
  'posts',
  'client_requests',
  'client_contacts',
  'post_pages',
];

/** Texts that only rows of others contain: their ids, and the addresses of all people. */
function foreignTexts(person: Person): string[] {
  const ids = (Object.keys(scene.rows) as TableName[]).flatMap((table) =>
    scene.rows[table].filter((row) => !isKnownTo(person, table, row)).map(({ id }) => id),
  );
  return [...ids, '@people.example'];
}

/** Ids that a function of this name may be about: those of the tables that it or its parameter names. */
function idsFor(routine: Routine, parameter: string): string[] {
  const said = `${routine.name} ${parameter}`;
  const named = (Object.keys(scene.rows) as TableName[]).filter((table) =>
    said.includes(
      table
        .replace(/ies$/, 'y')
        .replace(/s$/, '')
        .replace(/^.*_(?=....)/, ''),
    ),
  );
  return named.flatMap((table) => scene.rows[table].slice(0, 4).map(({ id }) => id));
}

/** Values of one call after another: plausible ones, then with each row that the name suggests, then without the optional. */
function callsOf(routine: Routine): (string | undefined)[][] {
  const usual = routine.parameters.map((one) => ordinary(scene, one));
  const byRow = routine.parameters.flatMap(({ name, type }, at) => {
    if (type !== 'uuid' && type !== 'uuid[]') return [];
    const ids = idsFor(routine, name);
    return ids.map((id) => usual.with(at, type === 'uuid' ? `'${id}'` : `array['${id}']`));
  });
  const needed = routine.parameters.map(({ hasDefault }, at) =>
    hasDefault ? undefined : usual[at],
  );
  return [usual, ...byRow, needed];
}

/** @returns the result as text; undefined if the call was refused */
async function called(
  client: PoolClient,
  { name, parameters }: Routine,
  values: (string | undefined)[],
): Promise<string | undefined> {
  const list = parameters.flatMap(({ name: parameter, type }, at) => {
    const value = values[at];
    if (value === undefined) return [];
    return [`${parameter === '' ? '' : `"${parameter}" => `}(${value})::${type}`];
  });
  let result = '';
  const error = await attempt(client, async () => {
    const { rows } = await client.query<{ found: string | null }>(
      `select string_agg(r::text, ' ') as found from public."${name}"(${list}) r`,
    );
    result = rows[0]?.found ?? '';
  });
  if (error !== undefined && !REFUSALS.test(error)) return `failed with ${error}`;
  return error === undefined ? result : undefined;
}

describe.each([contactHere, formerContact])('$name', (person) => {
  test('learns nothing of others from any function, and changes nothing with it', async () => {
    const foreign = foreignTexts(person);
    const changed = new Set<string>();
    const wrong: string[] = [];
    for (const routine of routines) {
      await rolledBack(database.owner, async (client) => {
        await become(client, person);
        for (const values of callsOf(routine)) {
          const result = await called(client, routine, values);
          if (result === undefined) continue;
          const call = `${routine.name}(${values.map((value) => value ?? '').join(', ')})`;
          // The own id and address may be in it: an argument comes back.
          const sent = values.join(' ');
          const leaked = foreign.filter((text) => result.includes(text) && !sent.includes(text));
          const others = leaked.filter(
            (text) => !(text.startsWith('@') && isOnlyOwn(result, person)),
          );
          if (others.length > 0) wrong.push(`${call} says ${result.slice(0, 200)}`);
          if (result.startsWith('failed with')) wrong.push(`${call} ${result}`);
          if (routine.writes && MAY_WRITE[routine.name] === undefined)
            wrong.push(`${call} is done`);
        }
        await becomeOwner(client);
        const { rows } = await client.query<{ table_name: string }>(
          'select table_name from audit_log where at >= now()',
        );
        for (const { table_name: table } of rows) changed.add(table);
      });
    }
    expect(routines.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
    expect([...changed].sort()).toEqual(person === contactHere ? CHANGED_TABLES : []);
  }, 60_000);

  test('sees no row of any view', async () => {
    const { rows: views } = await database.owner.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and has_table_privilege('authenticated', oid, 'select')`);
    const seen: string[] = [];
    for (const { name } of views) {
      await rolledBack(database.owner, async (client) => {
        await become(client, person);
        const { rowCount } = await client.query(`select from public."${name}" limit 1`);
        if (rowCount !== 0) seen.push(name);
      });
    }
    expect(views.length).toBeGreaterThan(5);
    expect(seen).toEqual(SHOWN_VIEWS);
  });

  test('reads, adds and removes no file of any bucket', async () => {
    await rolledBack(database.owner, async (client) => {
      const { rows: buckets } = await client.query<{ id: string }>(
        'select id from storage.buckets',
      );
      const folders = [
        scene.rows.incidents.find(({ site }) => site === 'here')?.id,
        scene.rows.expense_reports[0]?.id,
        person.id,
        scene.clients.here,
      ];
      const files = buckets.flatMap(({ id }) => folders.map((folder) => [id, `${folder}/a.jpg`]));
      // Of a guard who works for the client, and is not on post now.
      const photo = `${crypto.randomUUID()}.jpg`;
      files.push(['photos', photo]);
      const add =
        'insert into storage.objects (bucket_id, name, version) values ($1, $2, gen_random_uuid())';
      for (const file of files) await client.query(add, file);
      await client.query('update profiles set photo_path = $2 where id = $1', [
        guardHere.id,
        photo,
      ]);
      await become(client, person);
      expect((await client.query('select bucket_id, name from storage.objects')).rows).toEqual([]);
      expect((await client.query('delete from storage.objects')).rowCount).toBe(0);
      for (const [bucket, path] of files) {
        const error = await attempt(client, () => client.query(add, [bucket, `${path}2.jpg`]));
        expect(error, `${bucket}/${path}`).toBe(REFUSED);
      }
      await becomeOwner(client);
      expect(buckets.length).toBeGreaterThan(2);
    });
  });
});

/** Whether every address in the text is the person's own. */
function isOnlyOwn(text: string, person: Person): boolean {
  const addresses = text.match(/[\w.]+@people\.example/g) ?? [];
  return addresses.every((address) => address === person.claims?.email);
}

test('private channels have no policies, so nobody joins one; live changes ask the policies of the tables', async () => {
  const { rows } = await database.owner.query(
    `select policyname from pg_policies where schemaname = 'realtime'`,
  );
  expect(rows).toEqual([]);
});
