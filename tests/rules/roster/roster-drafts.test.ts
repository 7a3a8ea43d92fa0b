// The draft of a roster: what the board writes, what is refused, and what publishing turns into assignments and notices.
import { DatabaseError, type Pool } from 'pg';
import { poolOf, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Callers } from '#backend/database/callers.ts';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  opsManager,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

interface Conflict {
  shift_id: string;
  user_id: string;
  rule: string;
  message: string;
}

let database: TestDatabase;
let scene: Scene;
let pool: Pool;
let callers: Callers;
/** Shifts from 06:00 to 18:00 of the first days of January 2031, which begins on a Wednesday; one guard each. */
let days: string[];

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  pool = poolOf(database.connection, 4);
  callers = new Callers(pool, () => {});
});

beforeEach(async () => {
  await database.owner.query('delete from roster_changes; delete from notices');
  await database.owner.query(`delete from shifts where start_time >= '2031-01-01'`);
  const { rows } = await database.owner.query<{ id: string }>(
    `insert into shifts (site_id, start_time, end_time)
     select $1, day + interval '6 hours', day + interval '18 hours'
     from generate_series(timestamptz '2031-01-01Z', '2031-01-10Z', interval '1 day') day
     returning id`,
    [scene.sites.here],
  );
  days = rows.map(({ id }) => id);
});

afterAll(() => pool.end());

async function call(person: Person, name: string, ...values: unknown[]): Promise<unknown> {
  const places = values.map((_, index) => `$${index + 1}`).join(', ');
  const text = `select to_jsonb(public.${name}(${places}))::text as answer`;
  const { rows } = await callers.run(
    { role: 'authenticated', claims: JSON.stringify(person.claims) },
    {
      text,
      values: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    },
  );
  const answer: unknown = JSON.parse(String(rows[0]?.[0]));
  return answer;
}

/** The error of a call that must fail. */
async function refusal(work: Promise<unknown>): Promise<DatabaseError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DatabaseError) return error;
  throw new Error('The call was not refused.', { cause: error });
}

async function conflictsOf(work: Promise<unknown>): Promise<Conflict[]> {
  const { code, detail } = await refusal(work);
  expect(code).toBe('PT409');
  const conflicts: Conflict[] = JSON.parse(detail ?? '[]');
  return conflicts;
}

const change = (kind: string, day: number, person: Person, reason?: string) => ({
  shift_id: days[day],
  user_id: person.id,
  change: kind,
  ...(reason === undefined ? {} : { override_reason: reason }),
});

async function drafts(): Promise<string[]> {
  const { rows } = await database.owner.query<{ text: string }>(
    `select change || ' ' || (starts_at::date - date '2031-01-01') || ' ' || p.full_name as text
     from roster_changes c join profiles p on p.id = c.user_id order by starts_at, p.full_name`,
  );
  return rows.map(({ text }) => text);
}

async function assigned(): Promise<string[]> {
  const { rows } = await database.owner.query<{ text: string }>(
    `select (starts_at::date - date '2031-01-01') || ' ' || p.full_name as text
     from assignments a join profiles p on p.id = a.user_id
     where starts_at >= '2031-01-01' and status <> 'cancelled' order by starts_at, p.full_name`,
  );
  return rows.map(({ text }) => text);
}

const publish = (person: Person) => call(person, 'publish_roster', '2031-01-01', '2031-01-12');

describe('a change on the board', () => {
  test('is a draft: no assignment, and nothing that the guard can see', async () => {
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    expect(await drafts()).toEqual(['assign 0 guard on the site']);
    expect(await assigned()).toEqual([]);
    const { rows } = await callers.run(
      { role: 'authenticated', claims: JSON.stringify(guardHere.claims) },
      { text: 'select count(*)::text from public.roster_changes', values: [] },
    );
    expect(rows).toEqual([['0']]);
  });

  test.each([
    ['assign, then reset', ['assign', 'reset'], []],
    ['assign, then unassign', ['assign', 'unassign'], []],
    ['assign twice', ['assign', 'assign'], ['assign 0 guard on the site']],
    ['unassign a guard who is not there', ['unassign'], []],
  ])('%s', async (_, steps, left) => {
    for (const step of steps) {
      await call(dispatcher, 'apply_roster', [change(step, 0, guardHere)]);
    }
    expect(await drafts()).toEqual(left);
  });

  test('of a published assignment is a removal until it is undone', async () => {
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    await publish(dispatcher);
    await call(dispatcher, 'apply_roster', [change('unassign', 0, guardHere)]);
    expect(await drafts()).toEqual(['unassign 0 guard on the site']);
    expect(await assigned()).toEqual(['0 guard on the site']);
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    expect(await drafts()).toEqual([]);
  });

  test('that has been made in the shift dialog since leaves the draft', async () => {
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    await call(opsManager, 'assign_guards', days[0] ?? '', `{${guardHere.id}}`);
    expect(await drafts()).toEqual([]);
  });

  test('is applied with all others of its call or not at all', async () => {
    const conflicts = await conflictsOf(
      call(dispatcher, 'apply_roster', [
        change('assign', 0, guardHere),
        change('assign', 0, guardElsewhere),
        change('assign', 1, guardHere),
      ]),
    );
    expect(conflicts.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'full: This shift already has its guard',
      'full: This shift already has its guard',
    ]);
    expect(await drafts()).toEqual([]);
  });
});

describe('a draft is refused', () => {
  test('by the rest that it would leave, counted over drafts and assignments', async () => {
    await database.owner.query(
      `update shifts set start_time = start_time + interval '9 hours', end_time = end_time + interval '3 hours'
       where id = $1`,
      [days[0]],
    );
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    const conflicts = await conflictsOf(
      call(dispatcher, 'apply_roster', [change('assign', 1, guardHere)]),
    );
    expect(conflicts).toMatchObject([{ rule: 'rest', message: '9 h rest, 12 needed' }]);
  });

  test('by the hours of the week, and accepted with a reason from an overseer alone', async () => {
    // Thursday to Sunday and Monday to Friday: the fifth duty from Monday makes 60 h.
    const week = [5, 6, 7, 8].map((day) => change('assign', day, guardHere));
    await call(dispatcher, 'apply_roster', week);
    const fifth = change('assign', 9, guardHere, 'The relief is ill');
    const conflicts = await conflictsOf(call(dispatcher, 'apply_roster', [fifth]));
    expect(conflicts.map(({ rule }) => rule)).toContain('week_hours');
    await call(opsManager, 'apply_roster', [fifth]);
    expect(await drafts()).toHaveLength(5);
    await publish(opsManager);
    const { rows } = await database.owner.query(
      `select override_reason, overridden_by, 'week_hours' = any (overridden_rules) as of_week
       from assignments where shift_id = $1`,
      [days[9]],
    );
    expect(rows).toEqual([
      { override_reason: 'The relief is ill', overridden_by: opsManager.id, of_week: true },
    ]);
  });

  test('no more when its overridden neighbour comes earlier: both are published', async () => {
    await database.owner.query(
      `update shifts set start_time = start_time + interval '9 hours', end_time = end_time + interval '3 hours'
       where id = $1`,
      [days[0]],
    );
    await call(opsManager, 'apply_roster', [change('assign', 1, guardHere)]);
    await call(opsManager, 'apply_roster', [change('assign', 0, guardHere, 'The relief is ill')]);
    expect(await publish(opsManager)).toMatchObject({ assigned: 2 });
  });

  test('for a guard who has clocked in, a shift that has ended, or one that is gone', async () => {
    const present = scene.rows.attendance.find(({ owner }) => owner === guardHere.id);
    const { rows } = await database.owner.query<{ shift_id: string }>(
      'select a.shift_id from attendance t join assignments a on a.id = t.assignment_id where t.id = $1',
      [present?.id],
    );
    const conflicts = await conflictsOf(
      call(dispatcher, 'apply_roster', [
        { shift_id: rows[0]?.shift_id, user_id: guardHere.id, change: 'unassign' },
        { shift_id: crypto.randomUUID(), user_id: guardHere.id, change: 'assign' },
      ]),
    );
    expect(conflicts.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['clocked', 'gone']));
  });

  test('at sites that the caller does not plan', async () => {
    const elsewhere = { shift_id: scene.openShifts.elsewhere, user_id: hr.id, change: 'assign' };
    expect((await refusal(call(supervisorHere, 'apply_roster', [elsewhere]))).code).toBe('42501');
    expect((await refusal(call(hr, 'apply_roster', [change('assign', 0, guardHere)]))).code).toBe(
      '42501',
    );
    expect((await refusal(call(guardHere, 'roster_input', '2031-01-01', '2031-01-07'))).code).toBe(
      '42501',
    );
  });

  test.each([
    ['no array', {}],
    ['no change', []],
    ['an unknown change', [{ shift_id: hr.id, user_id: hr.id, change: 'give' }]],
    ['nobody', [{ shift_id: hr.id, change: 'assign' }]],
  ])('when it is %s', async (_, changes) => {
    expect((await refusal(call(dispatcher, 'apply_roster', changes))).code).toBe('22023');
  });
});

test('roster_state returns the parts of roster_input that change, to planners only', async () => {
  await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
  await call(dispatcher, 'pin_roster', [{ shift_id: days[0], user_id: guardHere.id }], true);
  const days7 = ['2031-01-01', '2031-01-07'];
  const state = await call(dispatcher, 'roster_state', ...days7);
  expect(state).toMatchObject({
    changes: [{ shift_id: days[0], user_id: guardHere.id, change: 'assign' }],
    pins: [{ shift_id: days[0], user_id: guardHere.id }],
  });
  expect(await call(dispatcher, 'roster_input', ...days7)).toMatchObject(Object(state));
  expect((await refusal(call(hr, 'roster_state', ...days7))).code).toBe('42501');
});

describe('publishing', () => {
  test('turns the draft into assignments and queues one notice a person, once', async () => {
    await call(dispatcher, 'apply_roster', [
      change('assign', 0, guardHere),
      change('assign', 1, guardHere),
      change('assign', 2, guardElsewhere),
    ]);
    expect(await publish(dispatcher)).toEqual({
      assigned: 3,
      unassigned: 0,
      people: 2,
      notices: 2,
    });
    expect(await publish(dispatcher)).toEqual({
      assigned: 0,
      unassigned: 0,
      people: 0,
      notices: 0,
    });
    expect(await assigned()).toEqual([
      '0 guard on the site',
      '1 guard on the site',
      '2 guard elsewhere',
    ]);
    const { rows } = await database.owner.query(
      `select title, body, link from notices where user_id = $1`,
      [guardHere.id],
    );
    expect(rows).toEqual([
      {
        title: 'Your roster from Jan 1 to Jan 12',
        body: 'New: Here, Wed, Jan 1, 6:00 AM to 6:00 PM\nNew: Here, Thu, Jan 2, 6:00 AM to 6:00 PM',
        link: '/staff/shifts',
      },
    ]);
  });

  test('by a supervisor leaves the drafts of other sites alone', async () => {
    const { rows } = await database.owner.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time)
       values ($1, '2031-01-03T06:00Z', '2031-01-03T18:00Z') returning id`,
      [scene.sites.elsewhere],
    );
    await call(dispatcher, 'apply_roster', [
      change('assign', 0, guardHere),
      { shift_id: rows[0]?.id, user_id: guardElsewhere.id, change: 'assign' },
    ]);
    expect(await publish(supervisorHere)).toMatchObject({ assigned: 1 });
    expect(await drafts()).toEqual(['assign 2 guard elsewhere']);
    const { rows: weeks } = await database.owner.query(
      `select state from roster_periods where starts_on = '2030-12-30'`,
    );
    expect(weeks).toEqual([{ state: 'draft' }]);
  });

  test('swaps two guards who could not both be there', async () => {
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    await publish(dispatcher);
    await call(dispatcher, 'apply_roster', [
      change('unassign', 0, guardHere),
      change('assign', 0, guardElsewhere),
    ]);
    expect(await publish(dispatcher)).toMatchObject({ assigned: 1, unassigned: 1, people: 2 });
    expect(await assigned()).toEqual(['0 guard elsewhere']);
  });

  test('is refused with the guard named when leave has been approved since', async () => {
    await database.owner.query(
      `with post as (insert into posts (site_id, name) values ($1, 'Side gate') returning id)
       update shifts set post_id = (select id from post) where id = $2`,
      [scene.sites.here, days[0]],
    );
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    await database.owner.query(
      `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
       values ($1, 'annual', '2031-01-01', '2031-01-02', 'Family', 'approved')`,
      [guardHere.id],
    );
    const conflicts = await conflictsOf(publish(dispatcher));
    expect(conflicts).toMatchObject([{ user_id: guardHere.id, rule: 'leave' }]);
    expect(await drafts()).toHaveLength(1);
    await database.owner.query('delete from leave_requests where start_date = $1', ['2031-01-01']);
  });
});

describe('two planners at once', () => {
  test('can fill a seat once: the other gets the reason', async () => {
    const outcomes = await Promise.allSettled(
      [guardHere, guardElsewhere, bystander].map((guard, index) =>
        call(index === 0 ? dispatcher : opsManager, 'apply_roster', [change('assign', 0, guard)]),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(await drafts()).toHaveLength(1);
  });

  test('publish each change and each notice once', async () => {
    await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
    await Promise.all([publish(dispatcher), publish(opsManager)]);
    const { rows } = await database.owner.query('select count(*)::int from notices');
    expect(rows).toEqual([{ count: 1 }]);
    expect(await assigned()).toEqual(['0 guard on the site']);
  });
});

test('pins stay until the guard is taken off the shift', async () => {
  const pin = [{ shift_id: days[0], user_id: guardHere.id }];
  await call(dispatcher, 'apply_roster', [change('assign', 0, guardHere)]);
  expect(await call(dispatcher, 'pin_roster', pin, true)).toBe(1);
  expect(await call(dispatcher, 'pin_roster', pin, true)).toBe(0);
  await call(dispatcher, 'apply_roster', [change('unassign', 0, guardHere)]);
  expect(await call(dispatcher, 'pin_roster', pin, false)).toBe(0);
});
