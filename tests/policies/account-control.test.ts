import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, bystander, guardHere, opsManager, people } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const DISABLE = 'select set_account_disabled($1, $2)';
const SIGN_OUT = 'select sign_out_everywhere($1)';

describe('an admin', () => {
  test('disables an account with its open token and sessions, and enables it again', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), $1, now())`,
        [opsManager.id],
      );
      const seen = async (): Promise<number> => {
        await become(client, opsManager);
        const { rowCount } = await client.query(`select from clients where name = 'Bank'`);
        await becomeOwner(client);
        return rowCount ?? 0;
      };
      expect(await seen()).toBe(1);
      await become(client, admin);
      await client.query(DISABLE, [opsManager.id, true]);
      const listed = await client.query<{ disabled: boolean }>(
        'select disabled from user_accounts where id = $1',
        [opsManager.id],
      );
      expect(listed.rows).toEqual([{ disabled: true }]);
      await becomeOwner(client);
      expect(await seen()).toBe(0);
      expect((await client.query('select from auth.sessions')).rowCount).toBe(0);
      await become(client, admin);
      await client.query(DISABLE, [opsManager.id, false]);
      const { rows } = await client.query(
        'select actor_email, action, details from security_events order by action',
      );
      expect(rows).toEqual(
        ['user_disabled', 'user_enabled'].map((action) => ({
          actor_email: admin.claims?.email,
          action,
          details: { user_id: opsManager.id },
        })),
      );
      await becomeOwner(client);
      expect(await seen()).toBe(1);
    });
  });

  test('sees which accounts have no confirmed address, and the list refreshes when they confirm', async () => {
    await rolledBack(database.owner, async (client) => {
      const seen = async () => {
        await become(client, admin);
        const { rows } = await client.query<{ unconfirmed: boolean }>(
          'select unconfirmed from user_accounts where id = $1',
          [guardHere.id],
        );
        await becomeOwner(client);
        return rows[0]?.unconfirmed;
      };
      await client.query('update auth.users set email_confirmed_at = null where id = $1', [
        guardHere.id,
      ]);
      // Live lists are notified of a new row version.
      const version = async () =>
        (await client.query('select ctid from profiles where id = $1', [guardHere.id])).rows[0];
      const before = await version();
      expect(await seen()).toBe(true);
      await client.query('update auth.users set email_confirmed_at = now() where id = $1', [
        guardHere.id,
      ]);
      expect(await seen()).toBe(false);
      expect(await version()).not.toEqual(before);
    });
  });

  test('signs a user out everywhere', async () => {
    await rolledBack(database.owner, async (client) => {
      for (const id of [guardHere.id, guardHere.id, opsManager.id]) {
        await client.query(
          `insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), $1, now())`,
          [id],
        );
      }
      await become(client, admin);
      await client.query(SIGN_OUT, [guardHere.id]);
      await becomeOwner(client);
      const { rows } = await client.query('select user_id from auth.sessions');
      expect(rows).toEqual([{ user_id: opsManager.id }]);
    });
  });

  test.each([
    ['the own account', DISABLE, [admin.id, true], 'PT409'],
    ['an account that there is not', DISABLE, [crypto.randomUUID(), true], 'PT404'],
    ['neither one nor the other', DISABLE, [bystander.id, null], '23502'],
    ['nobody', SIGN_OUT, [crypto.randomUUID()], 'PT404'],
  ])('is refused %s', async (_what, sql, values, code) => {
    await expect(asPerson(database.owner, admin, sql, values)).rejects.toMatchObject({ code });
  });
});

test('only admins control accounts, list them and read the sign-in log', async () => {
  await database.owner.query(
    `insert into auth.audit_log_entries (id, payload, created_at) values (gen_random_uuid(), '{"action":"login"}', now())`,
  );
  for (const person of people) {
    if (person.roles.includes('admin') && !person.closed) continue;
    for (const sql of [
      `select set_account_disabled('${bystander.id}', true)`,
      `select sign_out_everywhere('${bystander.id}')`,
    ]) {
      await expect(asPerson(database.owner, person, sql), person.name).rejects.toMatchObject({
        code: REFUSED,
      });
    }
    for (const view of ['security_events', 'user_accounts']) {
      const read = asPerson(database.owner, person, `select * from ${view}`);
      if (person.claims === null) await expect(read).rejects.toMatchObject({ code: REFUSED });
      else expect(await read, person.name).toEqual([]);
    }
  }
  expect(await asPerson(database.owner, admin, 'select action from security_events')).toEqual([
    { action: 'login' },
  ]);
});

test('a page of the newest accounts reads only the roles of its own accounts', async () => {
  const plan = await asPerson(
    database.owner,
    admin,
    `explain (analyze, costs off, timing off, summary off, buffers off)
     select a.id, held.roles from user_accounts a
     left join lateral (select json_agg(r.role) as roles from user_roles r where r.user_id = a.id) held on true
     order by a.created_at desc, a.id limit 2`,
  );
  const lines = plan.map((line) => String(Object.values(line)[0]));
  expect(lines.find((line) => line.includes('Aggregate'))).toContain('loops=2');
});

test('the sign-in log is read-only, even for admins', async () => {
  for (const sql of ['delete from security_events', `update security_events set id = id`]) {
    await expect(asPerson(database.owner, admin, sql)).rejects.toMatchObject({ code: REFUSED });
  }
});

describe('the last admin', () => {
  test.each([
    ['banned', `update auth.users set banned_until = now() + interval '1 hour' where id = $1`],
    ['softly deleted', 'update auth.users set deleted_at = now() where id = $1'],
    [
      'banned along with everybody',
      `update auth.users set banned_until = 'infinity' where $1::uuid is not null`,
    ],
  ])('is never %s', async (_what, sql) => {
    await rolledBack(database.owner, async (client) => {
      await client.query(`delete from user_roles where role = 'admin' and user_id <> $1`, [
        admin.id,
      ]);
      expect(await attempt(client, () => client.query(sql, [admin.id]))).toBe('PT409');
    });
  });

  test('can be removed once there is another admin', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [
        bystander.id,
      ]);
      const sql = `update auth.users set banned_until = now() + interval '1 hour' where id = $1`;
      expect(await attempt(client, () => client.query(sql, [admin.id]))).toBeUndefined();
    });
  });
});

test('every temporary password must be changed once', async () => {
  await rolledBack(database.owner, async (client) => {
    const demanded = async (): Promise<boolean> => {
      const { rows } = await client.query<{ demanded: boolean }>(
        'select must_change_password as demanded from profiles where id = $1',
        [guardHere.id],
      );
      return rows[0]?.demanded ?? false;
    };
    const password = (hash: string) =>
      client.query('update auth.users set encrypted_password = $2 where id = $1', [
        guardHere.id,
        hash,
      ]);
    const demand = () =>
      client.query(
        `update auth.users set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"must_change_password": true}' where id = $1`,
        [guardHere.id],
      );
    for (const round of ['first', 'second']) {
      await password(`temporary ${round}`);
      await demand();
      expect(await demanded()).toBe(true);
      await password(`own ${round}`);
      expect(await demanded()).toBe(false);
    }
  });
});
