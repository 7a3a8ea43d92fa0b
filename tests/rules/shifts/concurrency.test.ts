// Concurrent sessions through the callers' query runner: exactly one wins, the others get a reason.
import { DatabaseError, type Pool } from 'pg';
import { poolOf, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Callers } from '#backend/database/callers.ts';
import {
  admin,
  bystander,
  dispatcher,
  guardHere,
  hr,
  opsManager,
  type Person,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become } from '#tests/support/session.ts';

const SESSIONS = 20;
let database: TestDatabase;
let scene: Scene;
let pool: Pool;
let callers: Callers;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  pool = poolOf(database.connection, SESSIONS);
  callers = new Callers(pool, () => {});
});

afterAll(() => pool.end());

/** Result of each session: undefined on success, else `SQLSTATE message`. */
async function all(
  tries: { person: Person; text: string; values: string[] }[],
): Promise<(string | undefined)[]> {
  return Promise.all(
    tries.map(async ({ person, text, values }) => {
      try {
        const claims = JSON.stringify(person.claims);
        await callers.run({ role: 'authenticated', claims }, { text, values });
        return undefined;
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return `${error.code} ${error.message}`;
      }
    }),
  );
}

const sessions = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: SESSIONS }, (_, index) => make(index));

async function count(sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await database.owner.query<{ count: number }>(
    `select count(*)::int from ${sql}`,
    values,
  );
  return rows[0]?.count ?? -1;
}

describe('twenty planners assign the same guard to overlapping shifts', () => {
  test('exactly one succeeds, and the others get an error naming the overlap', async () => {
    const { rows } = await database.owner.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time)
       select case n % 2 when 0 then $1::uuid else $2::uuid end,
         now() + interval '90 days' + n * interval '10 minutes', now() + interval '90 days 12 hours'
       from generate_series(1, ${SESSIONS}) n returning id`,
      [scene.sites.here, scene.sites.elsewhere],
    );
    const answers = await all(
      rows.map(({ id }, index) => ({
        person: index % 2 === 0 ? dispatcher : opsManager,
        text: 'insert into assignments (shift_id, user_id) values ($1, $2)',
        values: [id, bystander.id],
      })),
    );
    const refusals = answers.filter((answer) => answer !== undefined);
    expect(refusals).toHaveLength(SESSIONS - 1);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^23P01 bystander is already on an overlapping shift, /);
    }
    const shiftIds = rows.map(({ id }) => id);
    expect(await count('assignments where shift_id = any ($1)', [shiftIds])).toBe(1);
  });

  test('moving a shift onto another of the same guard is refused', async () => {
    const { rows } = await database.owner.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time)
       select $1, now() + n * interval '1 day', now() + n * interval '1 day' + interval '8 hours'
       from generate_series(200, 201) n returning id`,
      [scene.sites.here],
    );
    const [first, second] = rows.map(({ id }) => id);
    await database.owner.query(
      'insert into assignments (shift_id, user_id) values ($1, $3), ($2, $3)',
      [first, second, bystander.id],
    );
    const [answer] = await all([
      {
        person: dispatcher,
        text: `update shifts set start_time = start_time - interval '1 day', end_time = end_time - interval '1 day' where id = $1`,
        values: [second ?? ''],
      },
    ]);
    expect(answer).toMatch(/^23P01 /);
  });
});

test('twenty payroll records of one person and period: one is added, the other errors name it', async () => {
  const answers = await all(
    sessions((index) => ({
      person: admin,
      text: `insert into payroll (staff_id, period_start, period_end, base_amount)
        values ($1, $2, '2036-03-31', 100)`,
      values: [scene.staffId, `2036-03-${String(index + 1).padStart(2, '0')}`],
    })),
  );
  const refusals = answers.filter((answer) => answer !== undefined);
  expect(refusals).toHaveLength(SESSIONS - 1);
  for (const refusal of refusals) {
    expect(refusal).toMatch(
      /^23P01 .+ already has a payroll record from Mar \d+, 2036 to Mar 31, 2036 \(pending\)\.$/,
    );
  }
  expect(await count(`payroll where period_end = '2036-03-31'`)).toBe(1);
});

test('twenty planners repeat the same shift: each day gets one copy, without errors', async () => {
  const { rows } = await database.owner.query<{ id: string }>(
    `insert into shifts (site_id, start_time, end_time)
     values ($1, '2036-03-03 06:00Z', '2036-03-03 18:00Z') returning id`,
    [scene.sites.here],
  );
  const answers = await all(
    sessions((index) => ({
      person: index % 2 === 0 ? dispatcher : opsManager,
      text: `select * from repeat_shift($1, '2036-03-06')`,
      values: [rows[0]?.id ?? ''],
    })),
  );
  expect(answers).toEqual(sessions(() => undefined));
  expect(await count(`shifts where start_time > '2036-03-03 06:00Z'`)).toBe(3);
});

describe('twenty sessions of one guard clock in on one assignment', () => {
  const text = `insert into attendance (id, assignment_id, clock_in_at, clock_in_gps) values ($1, $2, now(), '6.3000,-10.8000')`;
  let assignment: string;

  beforeEach(async () => {
    assignment = scene.unattended.get(`${guardHere.id} here`) ?? '';
    await database.owner.query('delete from attendance where user_id = $1', [guardHere.id]);
    await database.owner.query(
      `update assignments set attendance_state = 'none', status = 'assigned' where id = $1`,
      [assignment],
    );
  });

  test('with different ids: exactly one succeeds', async () => {
    const answers = await all(
      sessions(() => ({ person: guardHere, text, values: [crypto.randomUUID(), assignment] })),
    );
    const refusals = answers.filter((answer) => answer !== undefined);
    expect(refusals).toHaveLength(SESSIONS - 1);
    expect(new Set(refusals)).toEqual(new Set(['23505 You are already clocked in.']));
    expect(await count('attendance where assignment_id = $1', [assignment])).toBe(1);
  });

  test('with the same id through the function: all succeed with one record', async () => {
    const id = crypto.randomUUID();
    const answers = await all(
      sessions(() => ({
        person: guardHere,
        text: `select record_clock_event($1, 'in', $2, now(), p_gps => '6.3000,-10.8000')`,
        values: [id, assignment],
      })),
    );
    expect(answers).toEqual(sessions(() => undefined));
    expect(await count('attendance where assignment_id = $1', [assignment])).toBe(1);
  });
});

test('of several managers deciding one leave request, one succeeds', async () => {
  const request = scene.rows.leave_requests.find((row) => row.owner === bystander.id)?.id ?? '';
  const deciders = [hr, opsManager, admin];
  const answers = await all(
    sessions((index) => ({
      person: deciders[index % 3] ?? hr,
      text: 'update leave_requests set status = $2 where id = $1',
      values: [request, index % 2 === 0 ? 'approved' : 'rejected'],
    })),
  );
  const refusals = answers.filter((answer) => answer !== undefined);
  const { rows } = await database.owner.query<{ status: string }>(
    'select status from leave_requests where id = $1',
    [request],
  );
  const status = rows[0]?.status;
  expect(['approved', 'rejected']).toContain(status);
  // A repeat of the winning decision also succeeds and changes nothing.
  expect(refusals).toHaveLength(SESSIONS / 2);
  expect(new Set(refusals)).toEqual(new Set([`PT409 This request was already ${status}.`]));
});

/** Resolves when the backend waits for a lock, or when `settled` reports that it didn't have to. */
async function waitsForLock(pid: number, settled: () => boolean): Promise<void> {
  while (!settled()) {
    const sql = `pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
    if ((await count(sql, [pid])) === 1) return;
  }
}

test('admins who remove each other at the same time leave one admin', async () => {
  await database.owner.query(
    `insert into user_roles (user_id, role) values ($1, 'admin') on conflict do nothing`,
    [dispatcher.id],
  );
  await database.owner.query(
    `delete from user_roles where role = 'admin' and user_id <> all ($1)`,
    [[admin.id, dispatcher.id]],
  );
  const remove = `delete from user_roles where role = 'admin' and user_id = $1`;
  const first = await pool.connect();
  const second = await pool.connect();
  const pid =
    (await second.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
  await first.query('begin');
  await become(first, admin);
  await first.query(remove, [dispatcher.id]);
  await second.query('begin');
  await become(second, dispatcher);
  let isSettled = false;
  const answer = second.query(remove, [admin.id]).then(
    () => 'done',
    (error: Error) => error.message,
  );
  void answer.then(() => {
    isSettled = true;
  });
  await waitsForLock(pid, () => isSettled);
  await first.query('commit');
  const became = await answer;
  await second.query('commit');
  first.release();
  second.release();
  expect(became).toBe(`The last admin can't be removed.`);
  expect(await count(`user_roles where role = 'admin'`)).toBe(1);
});

describe('a guard is assigned while their leave is approved', () => {
  test.each([
    ['assigned first', 0],
    ['approved first', 1],
  ])('%s: the assignment does not count', async (_, first) => {
    const day = `current_date + ${300 + 10 * first}`;
    const { rows } = await database.owner.query<{ shift: string; leave: string }>(
      `with shift as (
         insert into shifts (site_id, start_time, end_time) values ($1, ${day}, ${day} + interval '8 hours') returning id
       ), leave as (
         insert into leave_requests (user_id, type, start_date, end_date, reason)
         values ($2, 'annual', ${day} - 1, ${day} + 1, 'Family') returning id
       )
       select shift.id as shift, leave.id as leave from shift, leave`,
      [scene.sites.here, guardHere.id],
    );
    const { shift, leave } = rows[0] ?? { shift: '', leave: '' };
    const steps = [
      {
        person: dispatcher,
        text: `insert into assignments (shift_id, user_id) values ('${shift}', '${guardHere.id}')`,
      },
      { person: hr, text: `select decide_leave('${leave}', 'approved')` },
    ] as const;
    const [holder, waiter] = await Promise.all(
      [steps[first], steps[1 - first]].map(async (step = steps[0]) => {
        const client = await pool.connect();
        await client.query('begin');
        await become(client, step.person);
        return { client, work: () => client.query(step.text) };
      }),
    );
    if (!holder || !waiter) throw new Error('There are two sessions.');
    await holder.work();
    const waiting = waiter.work();
    await expect
      .poll(() =>
        count(
          `pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        ),
      )
      .toBeGreaterThan(0);
    await holder.client.query('commit');
    await waiting;
    await waiter.client.query('commit');
    holder.client.release();
    waiter.client.release();
    const { rows: seen } = await database.owner.query(
      'select assigned, on_leave from shift_board where id = $1',
      [shift],
    );
    expect(seen).toEqual([{ assigned: 0, on_leave: 1 }]);
  });
});
