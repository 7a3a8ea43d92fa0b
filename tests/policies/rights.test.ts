// private.rights() reads what the caller may do once per statement: nothing may outlive the statement or reach another caller.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere, opsManager, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const readsClients = async (client: PoolClient): Promise<boolean> =>
  ((await client.query('select from clients limit 1')).rowCount ?? 0) > 0;

/** Runs PL/pgSQL as one statement. @returns what it raised */
async function noticesOf(client: PoolClient, body: string): Promise<string[]> {
  const notices: string[] = [];
  const note = ({ message }: { message?: string | undefined }): void => {
    notices.push(message ?? '');
  };
  client.on('notice', note);
  try {
    await client.query(`do $do$ begin ${body} end $do$`);
  } finally {
    client.off('notice', note);
  }
  return notices;
}

const as = ({ claims }: Person): string =>
  `perform set_config('request.jwt.claims', '${JSON.stringify(claims)}', true);`;
const NOTE_MANAGER = `raise notice '%', private.has_role('ops_manager');`;

test('the next statement of the same transaction reads the rights again', async () => {
  const claims = { ...opsManager.claims, session_id: '11111111-0000-4000-8000-000000000001' };
  await rolledBack(database.owner, async (client) => {
    await client.query(
      'insert into auth.sessions (id, user_id, created_at) values ($1, $2, now())',
      [claims.session_id, opsManager.id],
    );
    await become(client, { claims });
    expect(await readsClients(client)).toBe(true);
    await becomeOwner(client);
    await client.query('delete from auth.sessions where id = $1', [claims.session_id]);
    await become(client, { claims });
    expect(await readsClients(client)).toBe(false);
  });
});

const countSessionsRead = `
  select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
  from pg_stat_xact_all_tables where relid = 'auth.sessions'::regclass`;

test('a person with many sessions costs no more than one with a single session', async () => {
  await rolledBack(database.owner, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into auth.sessions (id, user_id, created_at)
       select gen_random_uuid(), $1, now() from generate_series(1, 2000) returning id`,
      [opsManager.id],
    );
    await client.query('analyze auth.sessions');
    const before = (await client.query(countSessionsRead)).rows[0].read;
    await become(client, { claims: { ...opsManager.claims, session_id: rows.at(-1)?.id ?? '' } });
    expect(await readsClients(client)).toBe(true);
    await becomeOwner(client);
    const { read } = (await client.query(countSessionsRead)).rows[0];
    expect(read - before).toBe(1);
  });
});

test("another person's session gives no rights", async () => {
  await rolledBack(database.owner, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), $1, now()) returning id`,
      [guardHere.id],
    );
    await become(client, { claims: { ...opsManager.claims, session_id: rows[0]?.id ?? '' } });
    expect(await readsClients(client)).toBe(false);
  });
});

test('callers that take turns within one statement have their own rights', async () => {
  await rolledBack(database.owner, async (client) => {
    const turns = [opsManager, guardHere, opsManager].map((one) => `${as(one)} ${NOTE_MANAGER}`);
    expect(await noticesOf(client, turns.join('\n'))).toEqual(['t', 'f', 't']);
  });
});

test.each([
  ['a role', `delete from public.user_roles where user_id = '${opsManager.id}';`],
  [
    'a profile',
    `update public.profiles set must_change_password = true where id = '${opsManager.id}';`,
  ],
  [
    'an account of a client',
    `insert into private.client_accounts (user_id) values ('${opsManager.id}');`,
  ],
])('a statement that changes %s relies on the new rights', async (_what, change) => {
  await rolledBack(database.owner, async (client) => {
    const body = `${as(opsManager)} ${NOTE_MANAGER} ${change} ${NOTE_MANAGER}`;
    expect(await noticesOf(client, body)).toEqual(['t', 'f']);
  });
});

test('a change that is rolled back within the statement leaves the rights as they were', async () => {
  await rolledBack(database.owner, async (client) => {
    const body = `${as(opsManager)} ${NOTE_MANAGER}
      begin
        delete from public.user_roles where user_id = '${opsManager.id}';
        ${NOTE_MANAGER}
        raise 'undo';
      exception when raise_exception then null;
      end;
      ${NOTE_MANAGER}`;
    expect(await noticesOf(client, body)).toEqual(['t', 'f', 't']);
  });
});

test('nothing is left for the next transaction of the connection', async () => {
  const client = await database.owner.connect();
  try {
    await client.query('begin');
    await become(client, opsManager);
    expect(await readsClients(client)).toBe(true);
    await client.query('commit');
    const { rows } = await client.query(
      `select current_setting('private.rights', true) as rights, current_setting('private.rights_asked', true) as asked`,
    );
    expect(rows).toEqual([{ rights: '', asked: '' }]);
  } finally {
    client.release();
  }
});
