import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, bystander, guardHere, newcomer, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, attempt, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const NEW_ID = 'aaaaaaaa-0000-4000-8000-000000000001';

describe('signing up', () => {
  test('creates a profile with name and email and no role, whatever the metadata claims', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        'insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)',
        [
          NEW_ID,
          'new@people.example',
          {
            full_name: '  New Person ',
            role: 'admin',
            roles: ['admin'],
            must_change_password: true,
          },
        ],
      );
      const profile = await client.query(
        'select email, full_name, must_change_password from profiles where id = $1',
        [NEW_ID],
      );
      expect(profile.rows).toEqual([
        { email: 'new@people.example', full_name: 'New Person', must_change_password: false },
      ]);
      const roles = await client.query('select from user_roles where user_id = $1', [NEW_ID]);
      expect(roles.rowCount).toBe(0);
    });
  });

  test.each([
    [null],
    [{}],
    [{ full_name: '' }],
    [{ full_name: 'x'.repeat(10_000) }],
    [{ full_name: { a: 1 } }],
  ])('is never stopped by its metadata (%#)', async (metadata) => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        'insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)',
        [NEW_ID, 'new@people.example', metadata],
      );
      const { rowCount } = await client.query('select from profiles where id = $1', [NEW_ID]);
      expect(rowCount).toBe(1);
    });
  });

  test('a later change of email or name updates the profile', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        'update auth.users set email = $2, raw_user_meta_data = $3 where id = $1',
        [newcomer.id, 'moved@people.example', { full_name: 'Renamed' }],
      );
      const { rows } = await client.query('select email, full_name from profiles where id = $1', [
        newcomer.id,
      ]);
      expect(rows).toEqual([{ email: 'moved@people.example', full_name: 'Renamed' }]);
    });
  });
});

describe('an invited account', () => {
  test('is opened by a password change, and the user can’t open it otherwise', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        'insert into auth.users (id, email, encrypted_password, raw_app_meta_data) values ($1, $2, $3, $4)',
        [NEW_ID, 'invited@people.example', 'temporary', { must_change_password: true }],
      );
      const invited = { claims: { sub: NEW_ID, role: 'authenticated', aal: 'aal1' } };
      await become(client, invited);
      const closed = await client.query('select id from deployments');
      expect(closed.rowCount).toBe(0);
      const selfHelp = await attempt(client, () =>
        client.query('update profiles set must_change_password = false where id = $1', [NEW_ID]),
      );
      expect(selfHelp).toBe(REFUSED);

      await client.query(
        `reset role; update auth.users set last_sign_in_at = now() where id = '${NEW_ID}'`,
      );
      const still = await client.query('select must_change_password from profiles where id = $1', [
        NEW_ID,
      ]);
      expect(still.rows).toEqual([{ must_change_password: true }]);
      await client.query(`update auth.users set encrypted_password = 'own' where id = $1`, [
        NEW_ID,
      ]);
      await become(client, invited);
      const open = await client.query('select id from deployments');
      expect(open.rowCount).toBe(1);
    });
  });
});

describe('roles', () => {
  test('can’t be granted to oneself, even by an admin', async () => {
    const sql = 'insert into user_roles (user_id, role) values ($1, $2)';
    for (const person of [newcomer, guardHere, opsManager, admin]) {
      for (const role of ['admin', 'supervisor', 'hr']) {
        await expect(
          asPerson(database.owner, person, sql, [person.id, role]),
        ).rejects.toMatchObject({ code: REFUSED });
      }
    }
  });

  test('are granted once, and only supervisors get a site', async () => {
    const give =
      'insert into user_roles (user_id, role, site_id) select $1, $2, id from sites where name = $3';
    await expect(
      asPerson(database.owner, admin, give, [bystander.id, 'ops_manager', 'Here']),
    ).rejects.toMatchObject({ code: '23514' });
    await expect(
      asPerson(database.owner, admin, 'insert into user_roles (user_id, role) values ($1, $2)', [
        bystander.id,
        'guard',
      ]),
    ).rejects.toMatchObject({ code: '23505' });
  });

  test('are deleted with the site they are scoped to, instead of widening', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `insert into user_roles (user_id, role, site_id) select $1, 'supervisor', id from sites where name = 'Spare'`,
        [bystander.id],
      );
      await client.query(`delete from sites where name = 'Spare'`);
      const { rows } = await client.query('select role from user_roles where user_id = $1', [
        bystander.id,
      ]);
      expect(rows).toEqual([{ role: 'guard' }]);
    });
  });
});

describe('the last admin', () => {
  test.each([
    ['gives up the role', `delete from user_roles where role = 'admin' and user_id = $1`],
    ['is deleted', 'delete from auth.users where id = $1'],
    [
      'is given another role instead',
      `update user_roles set role = 'guard' where role = 'admin' and user_id = $1`,
    ],
  ])('stays after an attempt that it %s', async (_attempt, sql) => {
    await rolledBack(database.owner, async (client) => {
      await client.query(`delete from user_roles where role = 'admin' and user_id <> $1`, [
        admin.id,
      ]);
      const error = await attempt(client, () => client.query(sql, [admin.id]));
      expect(error).toBe('PT409');
      const { rowCount } = await client.query(`select from user_roles where role = 'admin'`);
      expect(rowCount).toBe(1);
    });
  });

  test('can’t be removed while the only other admin is banned', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `delete from user_roles r using auth.users u
         where u.id = r.user_id and r.role = 'admin' and r.user_id <> $1 and u.banned_until is null`,
        [admin.id],
      );
      expect((await client.query(`select from user_roles where role = 'admin'`)).rowCount).toBe(2);
      const error = await attempt(client, () =>
        client.query(`delete from user_roles where role = 'admin' and user_id = $1`, [admin.id]),
      );
      expect(error).toBe('PT409');
    });
  });

  test('stays when one statement removes all admins', async () => {
    await rolledBack(database.owner, async (client) => {
      const error = await attempt(client, () =>
        client.query(`delete from user_roles where role = 'admin'`),
      );
      expect(error).toBe('PT409');
    });
  });
});

test('an account with shifts can’t be deleted, one without can', async () => {
  await rolledBack(database.owner, async (client) => {
    expect(
      await attempt(client, () =>
        client.query('delete from auth.users where id = $1', [guardHere.id]),
      ),
    ).toBe('23503');
    expect(
      await attempt(client, () =>
        client.query('delete from auth.users where id = $1', [newcomer.id]),
      ),
    ).toBeUndefined();
    const { rows } = await client.query<{ count: string }>(
      'select count(*) from profiles where id = $1',
      [newcomer.id],
    );
    expect(rows).toEqual([{ count: '0' }]);
  });
});

test('a token of a banned account has no rights', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
      [opsManager.id],
    );
    await become(client, opsManager);
    const { rowCount } = await client.query('select from clients');
    expect(rowCount).toBe(0);
  });
});
