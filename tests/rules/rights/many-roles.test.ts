// Giving a role to many users, and removing it, in one call.

import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  bystander,
  guardElsewhere,
  guardHere,
  newcomer,
  type Person,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, call, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const as = <T>(person: Person, work: (client: PoolClient) => Promise<T>) =>
  rolledBack(database.owner, async (client) => {
    await become(client, person);
    return work(client);
  });

const guards = [guardHere.id, guardElsewhere.id, bystander.id];

test('are given to many, and Undo removes only what was added', async () => {
  await as(admin, async (client) => {
    const give = `give_role($1, 'guard')`;
    const added = await call<{ id: string }[]>(client, give, [[...guards, newcomer.id]]);
    expect(added).toEqual([expect.objectContaining({ user_id: newcomer.id, role: 'guard' })]);
    await call(client, `delete_records('user_roles', $1)`, [added.map(({ id }) => id)]);
    const { rows } = await client.query(`select user_id from user_roles where role = 'guard'`);
    expect(rows.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining(guards));
    expect(rows.map(({ user_id }) => user_id)).not.toContain(newcomer.id);
  });
});

test('are removed from many and restored by Undo', async () => {
  await as(admin, async (client) => {
    const removed = await call<unknown[]>(client, `remove_role($1, 'guard')`, [guards]);
    const held = () =>
      client
        .query(`select from user_roles where role = 'guard' and user_id = any ($1)`, [guards])
        .then(({ rowCount }) => rowCount);
    expect(await held()).toBe(0);
    await client.query(`select restore_records('user_roles', $1)`, [JSON.stringify(removed)]);
    expect(await held()).toBe(removed.length);
  });
});

test.each(['give_role', 'remove_role'])('%s refuses the caller’s own account', async (name) => {
  await as(admin, async (client) => {
    const ids = [...guards, admin.id];
    const error = await refusal(client, () => call(client, `${name}($1, 'guard')`, [ids]));
    expect(error.message).toBe("You can't change your own roles.");
  });
});

test('unknown roles and people are refused', async () => {
  await as(admin, async (client) => {
    for (const [ids, role] of [
      [guards, 'owner'],
      [guards, null],
      [[crypto.randomUUID()], 'guard'],
    ]) {
      const error = await refusal(client, () => call(client, 'give_role($1, $2)', [ids, role]));
      expect(error.code).toMatch(/^23/);
    }
  });
});
