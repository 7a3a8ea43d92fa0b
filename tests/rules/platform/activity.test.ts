// What the screen Activity says about an entry, and what it can undo.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, guardHere, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

async function shiftWithGuard(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `with site as (
       insert into sites (name, client_name, address) values ('Freeport Gate', 'Port', 'Freeport') returning id
     )
     insert into shifts (site_id, start_time, end_time)
     select id, '2031-11-30 18:00Z', '2031-12-01 06:00Z' from site returning id`,
  );
  const id = rows[0]?.id ?? '';
  await client.query(
    `insert into assignments (shift_id, user_id, status, override_reason) values ($1, $2, 'assigned', 'Known')`,
    [id, guardHere.id],
  );
  return id;
}

const entryOf = async (client: PoolClient, table: string, action: string, row: string) =>
  (
    await client.query<{ id: string; undoable: number }>(
      `select a.id, undoable(a) as undoable from audit_log a
       where a.table_name = $1 and a.action = $2 and a.row_id = $3 order by a.at desc limit 1`,
      [table, action, row],
    )
  ).rows[0];

test('a moved shift: who, whose, where and when it was, and back', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await shiftWithGuard(client);
    await become(client, opsManager);
    await client.query(
      `update shifts set start_time = start_time + interval '1 hour' where id = $1`,
      [shift],
    );
    await become(client, admin);
    const entry = await entryOf(client, 'shifts', 'update', shift);
    expect(entry?.undoable).toBe(1);
    const { rows } = await client.query('select * from entry_subjects($1)', [[entry?.id]]);
    expect(rows).toMatchObject([
      {
        actor: opsManager.name,
        site: 'Freeport Gate',
        starts_at: new Date('2031-11-30T18:00:00Z'),
        timezone: 'Africa/Monrovia',
      },
    ]);
    await client.query('select undo_entry($1)', [entry?.id]);
    const back = await client.query('select start_time from shifts where id = $1', [shift]);
    expect(back.rows).toEqual([{ start_time: new Date('2031-11-30T18:00:00Z') }]);
    // The shift is no longer as the move left it.
    await becomeOwner(client);
    const again = await client.query(
      'select private.undo_of(a) as rows from audit_log a where a.id = $1',
      [entry?.id],
    );
    expect(again.rows).toEqual([{ rows: null }]);
  });
});

test('an assignment is about its guard, its site and its shift', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await shiftWithGuard(client);
    await client.query(`update assignments set status = 'confirmed' where shift_id = $1`, [shift]);
    await become(client, admin);
    const { rows } = await client.query(
      `select s.person, s.site, s.starts_at from audit_log a, entry_subjects(array[a.id]) s
       where a.table_name = 'assignments' and a.action = 'update' and a.new_values ? 'status'
         and a.row_id in (select id from assignments where shift_id = $1)`,
      [shift],
    );
    const about = {
      person: guardHere.name,
      site: 'Freeport Gate',
      starts_at: new Date('2031-11-30T18:00:00Z'),
    };
    expect(rows).toEqual([about]);
  });
});

test('a deleted record comes back, once', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, admin);
    const { rows } = await client.query<{ id: string }>(
      `insert into expense_reports (title, amount, category, expense_date, report_type)
       values ('Fuel', 12.5, 'transport', current_date, 'daily') returning id`,
    );
    const id = rows[0]?.id ?? '';
    await client.query('delete from expense_reports where id = $1', [id]);
    const entry = await entryOf(client, 'expense_reports', 'delete', id);
    expect(entry?.undoable).toBe(1);
    const about = await client.query('select name from entry_subjects($1)', [[entry?.id]]);
    expect(about.rows).toEqual([{ name: 'Fuel' }]);
    await client.query('select undo_entry($1)', [entry?.id]);
    const back = await client.query('select title, amount from expense_reports where id = $1', [
      id,
    ]);
    expect(back.rows).toEqual([{ title: 'Fuel', amount: '12.50' }]);
    expect((await entryOf(client, 'expense_reports', 'delete', id))?.undoable).toBe(0);
  });
});

test('what one statement did is undone together, and only admins may', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into staff (full_name, role, hire_date, salary_amount, payment_frequency)
       select 'Undo ' || n, 'guard', '2031-01-01', 1, 'monthly' from generate_series(1, 3) n`,
    );
    await become(client, admin);
    await client.query(`update staff set status = 'inactive' where full_name like 'Undo %'`);
    const { rows } = await client.query<{ id: string; undoable: number }>(
      `select a.id, undoable(a) as undoable from audit_log a join staff s on s.id = a.row_id
       where a.action = 'update' and s.full_name = 'Undo 2'`,
    );
    expect(rows).toMatchObject([{ undoable: 3 }]);
    await become(client, opsManager);
    expect(await attempt(client, () => client.query('select undo_entry($1)', [rows[0]?.id]))).toBe(
      'PT409',
    );
    await become(client, admin);
    await client.query('select undo_entry($1)', [rows[0]?.id]);
    const after = await client.query(
      `select distinct status from staff where full_name like 'Undo %'`,
    );
    expect(after.rows).toEqual([{ status: 'active' }]);
  });
});

test('an action of as many rows as one may take is undone whole', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into staff (full_name, role, hire_date, salary_amount, payment_frequency)
       select 'Many ' || n, 'guard', '2031-01-01', 1, 'monthly' from generate_series(1, 600) n`,
    );
    await become(client, admin);
    await client.query(`update staff set status = 'inactive' where full_name like 'Many %'`);
    const { rows } = await client.query<{ id: string; undoable: number }>(
      `select a.id, undoable(a) as undoable from audit_log a join staff s on s.id = a.row_id
       where a.action = 'update' and s.full_name = 'Many 600'`,
    );
    expect(rows).toMatchObject([{ undoable: 600 }]);
    await client.query('select undo_entry($1)', [rows[0]?.id]);
    const after = await client.query(
      `select status, count(*)::integer from staff where full_name like 'Many %' group by 1`,
    );
    expect(after.rows).toEqual([{ status: 'active', count: 600 }]);
  });
});

test('undoing a clock-out also takes back that it completed the assignment', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await shiftWithGuard(client);
    await client.query(
      `update shifts set start_time = now() - interval '9 days', end_time = now() - interval '212 hours' where id = $1`,
      [shift],
    );
    await client.query('delete from attendance where user_id = $1', [guardHere.id]);
    const record = await client.query<{ id: string }>(
      `insert into attendance (assignment_id, clock_in_at)
       select a.id, lower(a.period) from assignments a where a.shift_id = $1 returning id`,
      [shift],
    );
    const id = record.rows[0]?.id ?? '';
    const statusNow = async () =>
      (await client.query('select status from assignments where shift_id = $1', [shift])).rows;
    await become(client, admin);
    await client.query(`select clock_out_at_shift_end(array[$1::uuid], 'Forgot')`, [id]);
    expect(await statusNow()).toEqual([{ status: 'completed' }]);
    const entry = await entryOf(client, 'attendance', 'update', id);
    await client.query('select undo_entry($1)', [entry?.id]);
    expect(await statusNow()).toEqual([{ status: 'assigned' }]);
  });
});

test('rows of one transaction share a cause', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await shiftWithGuard(client);
    await becomeOwner(client);
    const { rows } = await client.query(
      `select count(distinct cause)::int as causes, count(*)::int > 1 as many, bool_and(cause is not null) as known
       from audit_log where at >= now() and (row_id = $1 or table_name = 'assignments')`,
      [shift],
    );
    expect(rows).toEqual([{ causes: 1, many: true, known: true }]);
  });
});
