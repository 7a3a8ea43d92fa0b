// private.held_rights is kept by triggers: whatever changes, it says what the tables say that it comes from.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere, hr, newcomer, opsManager, supervisorHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const DIFFERENCES = `
  with told as (
    select p.id as user_id,
      not p.must_change_password and not exists (select from private.client_accounts c where c.user_id = p.id) as is_cleared,
      array(select role from user_roles where user_id = p.id and site_id is null order by 1) as roles,
      array(select site_id from user_roles where user_id = p.id and site_id is not null order by 1) as supervised_sites
    from profiles p
  )
  (table told except table private.held_rights) union all (table private.held_rights except table told)`;

const differences = async (client: Pick<PoolClient, 'query'>): Promise<unknown[]> =>
  (await client.query(DIFFERENCES)).rows;

async function heldBy(client: Pick<PoolClient, 'query'>, id: string): Promise<unknown> {
  const { rows } = await client.query(
    'select is_cleared, roles, supervised_sites from private.held_rights where user_id = $1',
    [id],
  );
  return rows[0];
}

const WITHOUT_ROLE = { is_cleared: true, roles: [], supervised_sites: [] };

test.each([
  [
    'a new account',
    `insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000ffff', 'new@people.example')`,
    '00000000-0000-4000-8000-00000000ffff',
    WITHOUT_ROLE,
  ],
  [
    'a second role',
    `insert into user_roles (user_id, role) values ('${hr.id}', 'finance')`,
    hr.id,
    { ...WITHOUT_ROLE, roles: ['finance', 'hr'] },
  ],
  [
    'a role that is limited to a site',
    `insert into user_roles (user_id, role, site_id) select '${newcomer.id}', 'supervisor', site_id from user_roles
      where user_id = '${supervisorHere.id}'`,
    newcomer.id,
    { is_cleared: true, roles: [], supervised_sites: [expect.any(String)] },
  ],
  [
    'a role for all sites instead of one',
    `update user_roles set site_id = null where user_id = '${supervisorHere.id}'`,
    supervisorHere.id,
    { ...WITHOUT_ROLE, roles: ['supervisor'] },
  ],
  [
    'a role given to another person',
    `update user_roles set user_id = '${newcomer.id}' where user_id = '${guardHere.id}'`,
    guardHere.id,
    WITHOUT_ROLE,
  ],
  ['no role', `delete from user_roles where user_id = '${hr.id}'`, hr.id, WITHOUT_ROLE],
  [
    'a password to change first',
    `update profiles set must_change_password = true where id = '${hr.id}'`,
    hr.id,
    { is_cleared: false, roles: ['hr'], supervised_sites: [] },
  ],
  [
    'an account of a client',
    `insert into private.client_accounts (user_id) values ('${newcomer.id}')`,
    newcomer.id,
    { ...WITHOUT_ROLE, is_cleared: false },
  ],
  ['no account', `delete from auth.users where id = '${newcomer.id}'`, newcomer.id, undefined],
])('%s', async (_what, change, id, expected) => {
  await rolledBack(database.owner, async (client) => {
    await client.query(change);
    expect(await heldBy(client, id)).toEqual(expected);
    expect(await differences(client)).toEqual([]);
  });
});

test('a site that is removed takes the rights of its supervisors along', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(`
      insert into sites (id, name, client_name, address) values ('00000000-0000-4000-8000-00000000eeee', 'New', 'New', 'New');
      insert into user_roles (user_id, role, site_id)
        values ('${newcomer.id}', 'supervisor', '00000000-0000-4000-8000-00000000eeee');
      delete from sites where id = '00000000-0000-4000-8000-00000000eeee'`);
    expect(await heldBy(client, newcomer.id)).toEqual(WITHOUT_ROLE);
  });
});

test('two roles given to a person at the same moment are both held', async () => {
  const [first, second] = [await database.owner.connect(), await database.owner.connect()];
  const give = (client: PoolClient, role: string): Promise<unknown> =>
    client.query('insert into user_roles (user_id, role) values ($1, $2)', [opsManager.id, role]);
  try {
    await first.query('begin');
    await give(first, 'dispatcher');
    const given = give(second, 'finance');
    await expect
      .poll(async () => {
        const { rowCount } = await first.query(
          'select from pg_locks where not granted and pid <> pg_backend_pid()',
        );
        return rowCount;
      })
      .toBe(1);
    await first.query('commit');
    await given;
    expect(await heldBy(first, opsManager.id)).toMatchObject({
      roles: ['dispatcher', 'finance', 'ops_manager'],
    });
  } finally {
    await first.query('rollback');
    first.release();
    second.release();
  }
});
