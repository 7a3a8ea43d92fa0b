import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

test('an insert, an update and a delete are recorded with user, old and new values', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, opsManager);
    const { rows } = await client.query<{ id: string }>(
      `insert into clients (name, number_of_guards, monthly_rate, location) values ('Embassy', 6, 1200.50, 'Mamba Point') returning id`,
    );
    const id = rows[0]?.id;
    await client.query(
      'update clients set monthly_rate = 1300, number_of_guards = 7 where id = $1',
      [id],
    );
    await client.query('update clients set monthly_rate = 1300 where id = $1', [id]);
    await client.query('delete from clients where id = $1', [id]);
    await become(client, admin);
    const log = await client.query(
      'select actor_id, actor_email, action, table_name, old_values, new_values from audit_log where row_id = $1 order by at',
      [id],
    );
    const by = {
      actor_id: opsManager.id,
      actor_email: 'ops.manager@people.example',
      table_name: 'clients',
    };
    expect(log.rows).toMatchObject([
      {
        ...by,
        action: 'insert',
        old_values: null,
        new_values: { name: 'Embassy', monthly_rate: 1200.5 },
      },
      {
        ...by,
        action: 'update',
        old_values: { monthly_rate: 1200.5, number_of_guards: 6 },
        new_values: { monthly_rate: 1300, number_of_guards: 7 },
      },
      {
        ...by,
        action: 'delete',
        old_values: { name: 'Embassy', monthly_rate: 1300 },
        new_values: null,
      },
    ]);
    expect(Object.keys(log.rows[1].new_values).sort()).toEqual([
      'monthly_rate',
      'number_of_guards',
    ]);
  });
});

describe('a restored row', () => {
  /** Tables with an author, except evidence, which also has files. */
  const AUTHORED = [
    'clients',
    'deployments',
    'financial_statements',
    'expense_reports',
    'bank_accounts',
    'loans',
    'staff',
    'payroll',
    'rate_proposals',
  ] as const;

  /** Deletes a row of the operations manager, and inserts it again with changes as admin. @returns its author */
  const restored = (table: string, change = '{}', deleter = admin) =>
    rolledBack(database.owner, async (client) => {
      if (table === 'staff') await client.query('delete from payroll');
      if (table === 'clients') await client.query('delete from client_contacts');
      await client.query(`alter table ${table} disable trigger user`);
      const { rows } = await client.query<{ id: string }>(
        `update ${table} set created_by = $1 where id = (select t.id from ${table} t limit 1) returning id`,
        [opsManager.id],
      );
      await client.query(`alter table ${table} enable trigger user`);
      const id = rows[0]?.id;
      await become(client, deleter);
      const deleted = await client.query(
        `delete from ${table} t where id = $1 returning to_jsonb(t) as row`,
        [id],
      );
      await become(client, admin);
      const generated = await client.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attgenerated <> ''`,
        [table],
      );
      const columns = Object.keys(deleted.rows[0].row)
        .filter((column) => !generated.rows.some(({ name }) => name === column))
        .join(', ');
      const { rows: back } = await client.query<{ created_by: string }>(
        `insert into ${table} (${columns}) select ${columns}
         from jsonb_populate_record(null::${table}, $1::jsonb || $2::jsonb) returning created_by`,
        [deleted.rows[0].row, change],
      );
      return back[0]?.created_by;
    });

  test.each(AUTHORED)('keeps its first author: %s', async (table) => {
    expect(await restored(table)).toBe(opsManager.id);
  });

  test('with another value gets the restoring user as author', async () => {
    expect(await restored('clients', '{"name":"Another bank"}')).toBe(admin.id);
    expect(await restored('clients', `{"created_by":"${guardHere.id}"}`)).toBe(admin.id);
  });

  test('that another user deleted gets the restoring user as author', async () => {
    expect(await restored('clients', '{}', opsManager)).toBe(admin.id);
  });

  test('can’t be used to insert a new row in another user’s name', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, admin);
      const { rows } = await client.query(
        `insert into clients (name, number_of_guards, monthly_rate, location, created_by)
         values ('Embassy', 6, 1200, 'Mamba Point', $1) returning created_by`,
        [opsManager.id],
      );
      expect(rows).toEqual([{ created_by: admin.id }]);
    });
  });
});

test('every row of a statement is recorded, and nothing of a failed one', async () => {
  await rolledBack(database.owner, async (client) => {
    const count = async () =>
      (
        await client.query<{ n: number }>(
          `select count(*)::int as n from audit_log where table_name = 'clients'`,
        )
      ).rows[0]?.n ?? 0;
    const before = await count();
    await client.query(
      `insert into clients (name, number_of_guards, monthly_rate, location) select 'Client ' || n, n, n, 'Town' from generate_series(1, 250) n`,
    );
    expect(await count()).toBe(before + 250);
    await attempt(client, () =>
      client.query(
        `insert into clients (name, number_of_guards, monthly_rate, location) values ('A', 1, 1, 'T'), ('B', -1, 1, 'T')`,
      ),
    );
    expect(await count()).toBe(before + 250);
  });
});

describe('the audit log', () => {
  const attacks = [
    `update audit_log set actor_email = 'x@x.example'`,
    'delete from audit_log',
    'truncate audit_log',
    `insert into audit_log (action, table_name, row_id) values ('delete', 'sites', gen_random_uuid())`,
  ];

  test.each(attacks)('refuses an admin: %s', async (sql) => {
    await rolledBack(database.owner, async (client) => {
      await become(client, admin);
      expect(await attempt(client, () => client.query(sql))).toBe(REFUSED);
    });
  });

  test.each(attacks)('refuses the service role: %s', async (sql) => {
    await rolledBack(database.owner, async (client) => {
      await client.query('set local role service_role');
      expect(await attempt(client, () => client.query(sql))).toBe(REFUSED);
    });
  });

  test.each(attacks.slice(0, 3))('refuses even the owner: %s', async (sql) => {
    await rolledBack(database.owner, async (client) => {
      expect(await attempt(client, () => client.query(sql))).toBe(REFUSED);
    });
  });

  test('contains no secret, even if a table had one', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('alter table clients add column password text, add column token text');
      await client.query(
        `update clients set password = 'hunter2', token = 'hunter2', location = 'Elsewhere'`,
      );
      await becomeOwner(client);
      const { rows } = await client.query(
        `select old_values, new_values from audit_log where table_name = 'clients' and action = 'update'`,
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain('hunter2');
    });
  });
});
