import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { CLOCK_OUT_GRACE_MINUTES } from '#shared/database.limits.ts';
import {
  admin,
  bystander,
  dispatcher,
  guardHere,
  hr,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from attendance; delete from assignments; delete from shifts');
  await database.owner.query(LENIENT_RULES);
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** private.clock_out_grace() */
const GRACE = CLOCK_OUT_GRACE_MINUTES * 60_000;
/** As sites have it by default. */
const ALERT_AFTER = 10 * 60_000;
const FLAGS = ['outside_fence', 'no_location', 'sent_late', 'entered_by_guard'];
const STATE_OF_FLAG = ['outside', 'no_location', 'late_sent', 'by_guard'];

/** Seeded pseudo-random numbers. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Work {
  assignment: string;
  site: string;
  start: number;
  end: number;
  status: string;
  inAt: number | null;
  outAt: number | null;
  flags: string[];
  review: boolean;
}

/** Four days of day and night shifts of one person, some missed, some without clock-out; at most one open record. */
function workOf(random: () => number, now: number, site: string): Work[] {
  const work: Work[] = [];
  let isOpen = false;
  let start = now - 3 * DAY + Math.floor(random() * 12) * HOUR;
  while (start < now + DAY) {
    const end = start + (6 + Math.floor(random() * 8)) * HOUR;
    const kind = random();
    const status = kind < 0.08 ? 'cancelled' : kind < 0.14 ? 'no_show' : 'assigned';
    const one: Work = {
      assignment: randomUUID(),
      site,
      start,
      end,
      status,
      inAt: null,
      outAt: null,
      flags: [],
      review: false,
    };
    if (status === 'assigned' && start < now && random() < 0.8) {
      one.inAt = Math.min(now, start + Math.floor(random() * 60 - 20) * 60_000);
      if (isOpen || random() < (end < now ? 0.85 : 0.1)) {
        one.outAt = Math.max(
          one.inAt,
          Math.min(now, end + Math.floor(random() * 40 - 20) * 60_000),
        );
      } else isOpen = true;
      one.flags = FLAGS.filter(() => random() < 0.1);
      one.review = one.flags.length > 0 && random() < 0.5;
    }
    work.push(one);
    start = end + (1 + Math.floor(random() * 20)) * HOUR;
  }
  return work;
}

async function store(client: PoolClient, people: Map<string, Work[]>): Promise<void> {
  const entries = [...people].flatMap(([user, work]) =>
    work.map((one) => ({
      ...one,
      user,
      shift: randomUUID(),
      start: new Date(one.start),
      end: new Date(one.end),
      in_at: one.inAt === null ? null : new Date(one.inAt),
      out_at: one.outAt === null ? null : new Date(one.outAt),
    })),
  );
  const rows = `jsonb_to_recordset($1) as e(assignment uuid, site uuid, "user" uuid, shift uuid, "start" timestamptz,
    "end" timestamptz, status text, in_at timestamptz, out_at timestamptz, flags text[], review boolean)`;
  const run = (sql: string) => client.query(sql.replace('ROWS', rows), [JSON.stringify(entries)]);
  await run(`insert into auth.users (id, email, raw_user_meta_data)
    select distinct e."user", e."user" || '@people.example', '{"full_name":"Guard"}'::jsonb from ROWS`);
  await run(
    `insert into shifts (id, site_id, start_time, end_time) select shift, site, "start", "end" from ROWS`,
  );
  await run(
    `insert into assignments (id, shift_id, user_id, status, created_at)
     select assignment, shift, "user", status, "start" - interval '1 day' from ROWS`,
  );
  await run(`insert into attendance (assignment_id, clock_in_at, clock_out_at, flags, needs_review)
    select assignment, in_at, out_at, flags, review from ROWS where in_at is not null`);
}

const isIssue = ({ status, start, end, inAt, outAt }: Work, now: number): boolean =>
  status !== 'cancelled' && start <= now && (inAt === null || (outAt === null && end <= now));

/** The definitions shown on the Attendance screen, computed from the stored rows. */
function statesOf(work: Work, now: number): string[] {
  const { status, start, end, inAt, outAt, flags, review } = work;
  const isOpen = inAt !== null && outAt === null;
  return [
    isOpen && end > now - GRACE && 'in',
    isOpen && end <= now - GRACE && 'forgotten',
    inAt !== null && inAt - start >= 60_000 && 'late',
    ['assigned', 'confirmed', 'completed'].includes(status) &&
      inAt === null &&
      now - start >= ALERT_AFTER &&
      'missing',
    ...FLAGS.map((flag, index) => flags.includes(flag) && (STATE_OF_FLAG[index] ?? '')),
    review && 'review',
    isIssue(work, now) && 'issues',
  ].filter((state) => state !== false);
}

/** Rows of a day; for today also shifts that are still running. */
function ofDay(all: Work[], day: number, now: number): Work[] {
  const isToday = now >= day && now < day + DAY;
  return all.filter(({ start, end, status, inAt, outAt }) => {
    if (start >= day && start < day + DAY) return true;
    const isOpen = inAt !== null && outAt === null;
    return (
      isToday && start < day && status !== 'cancelled' && (isOpen || (inAt === null && end > now))
    );
  });
}

function countsOf(rows: Work[], now: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const state of [...statesOf(row, now), 'all']) {
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
  }
  return counts;
}

test('every figure of four days matches an independent calculation, for all sites and for one', async () => {
  await rolledBack(database.owner, async (client) => {
    const { rows: clock } = await client.query<{ now: Date; today: string }>(
      `select now(), private.company_date()::text as today`,
    );
    const now = clock[0]?.now.getTime() ?? 0;
    const today = Date.parse(`${clock[0]?.today}T00:00:00Z`);
    const random = numbers(20_261_123);
    const people = new Map<string, Work[]>();
    for (let count = 0; count < 60; count += 1) {
      const site = count % 3 === 0 ? scene.sites.elsewhere : scene.sites.here;
      people.set(randomUUID(), workOf(random, now, site));
    }
    await store(client, people);
    const all = [...people.values()].flat();
    const nights = all.filter(({ start, end }) => Math.floor(start / DAY) < Math.floor(end / DAY));
    expect(nights.length).toBeGreaterThan(40);

    const views: [Person, Work[]][] = [
      [admin, all],
      [supervisorHere, all.filter(({ site }) => site === scene.sites.here)],
    ];
    for (const [person, seen] of views) {
      await become(client, person);
      for (const offset of [-2, -1, 0, 1]) {
        const day = today + offset * DAY;
        const expected = ofDay(seen, day, now);
        const date = new Date(day).toISOString().slice(0, 10);
        const { rows } = await client.query<{ assignment_id: string; states: string[] }>(
          'select assignment_id, states from attendance_of($1)',
          [date],
        );
        expect(new Map(rows.map((row) => [row.assignment_id, row.states]))).toEqual(
          new Map(expected.map((work) => [work.assignment, statesOf(work, now)])),
        );
        const counted = await client.query('select state, rows from attendance_counts($1)', [date]);
        expect(new Map(counted.rows.map(({ state, rows }) => [state, rows]))).toEqual(
          countsOf(expected, now),
        );
      }
      const toDo = seen.filter((work) => isIssue(work, now) || work.review);
      const { rows } = await client.query('select assignment_id from attendance_of()');
      expect(rows.map((row) => row.assignment_id).sort()).toEqual(
        toDo.map(({ assignment }) => assignment).sort(),
      );
      const issues = await client.query(
        `select (select rows from attendance_counts() where state = 'issues') as listed,
           (select attendance_issues from dashboard_figures()) as dashboard`,
      );
      const count = seen.filter((work) => isIssue(work, now)).length;
      expect(issues.rows).toEqual([{ listed: count, dashboard: count }]);
    }
  });
});

/** A shift of a guard at the site; `from` and `to` are SQL. */
async function assign(client: PoolClient, person: Person, from: string, to: string) {
  const { rows } = await client.query<{ id: string }>(
    `with shift as (
       insert into shifts (site_id, start_time, end_time) values ($1, ${from}, ${to}) returning id
     )
     insert into assignments (shift_id, user_id, override_reason)
     select id, $2, 'Late in the evening a shift from before midnight has more than 24 hours' from shift
     returning id`,
    [scene.sites.here, person.id],
  );
  return rows[0]?.id ?? '';
}

test('a night shift counts on the day it starts, and its guard is in until the clock-out after midnight', async () => {
  await rolledBack(database.owner, async (client) => {
    const midnight = `(date_trunc('day', now() at time zone 'Africa/Monrovia') at time zone 'Africa/Monrovia')`;
    const night = await assign(
      client,
      guardHere,
      `${midnight} - interval '1 hour'`,
      `now() + interval '2 hours'`,
    );
    await client.query(
      `insert into attendance (assignment_id, clock_in_at) values ($1, ${midnight} - interval '1 hour')`,
      [night],
    );
    const seen = async () => {
      await become(client, supervisorHere);
      const { rows } = await client.query(
        `select (select states from attendance_of(private.company_date())) as today,
           (select states from attendance_of(private.company_date() - 1)) as yesterday`,
      );
      await becomeOwner(client);
      return rows[0];
    };
    expect(await seen()).toEqual({ today: ['in'], yesterday: ['in'] });
    await client.query('update attendance set clock_out_at = now() where assignment_id = $1', [
      night,
    ]);
    expect(await seen()).toEqual({ today: null, yesterday: [] });
  });
});

/** A record that needs review: the person clocked in without a location. */
async function flagged(client: PoolClient, person: Person): Promise<string> {
  const assignment = await assign(
    client,
    person,
    `now() - interval '2 hours'`,
    `now() + interval '6 hours'`,
  );
  await become(client, person);
  const { rows } = await client.query<{ id: string }>(
    `insert into attendance (assignment_id, clock_in_at, clock_in_reason, resolution, resolved_by, resolved_at)
     values ($1, now() - interval '1 hour', 'No satellites', 'Fine', $2, now()) returning id`,
    [assignment, person.id],
  );
  await becomeOwner(client);
  return rows[0]?.id ?? '';
}

const RESOLVE = 'update attendance set needs_review = false, resolution = $2 where id = $1';
const LOOK =
  'select needs_review, resolution, resolved_by, resolved_at is not null as dated from attendance where id = $1';

describe('an exception', () => {
  test('is resolved with a reason by a supervisor of the site, and reopened by a new exception', async () => {
    await rolledBack(database.owner, async (client) => {
      const record = await flagged(client, guardHere);
      const look = async () => (await client.query(LOOK, [record])).rows[0];
      const open = { needs_review: true, resolution: null, resolved_by: null, dated: false };
      expect(await look()).toEqual(open);
      await become(client, supervisorHere);
      expect(await attempt(client, () => client.query(RESOLVE, [record, ' ']))).toBe('23514');
      expect(
        await attempt(client, () =>
          client.query(`update attendance set resolution = 'Seen' where id = $1`, [record]),
        ),
      ).toBe('23514');
      await client.query(RESOLVE, [record, 'Seen at the gate']);
      expect(await look()).toEqual({
        needs_review: false,
        resolution: 'Seen at the gate',
        resolved_by: supervisorHere.id,
        dated: true,
      });
      await become(client, guardHere);
      await client.query(
        `update attendance set clock_out_at = now(), clock_out_reason = 'Battery is empty' where id = $1`,
        [record],
      );
      expect(await look()).toEqual(open);
    });
  });

  test('can’t be resolved by the guard it concerns', async () => {
    await rolledBack(database.owner, async (client) => {
      const record = await flagged(client, supervisorHere);
      await become(client, supervisorHere);
      expect(await attempt(client, () => client.query(RESOLVE, [record, 'I was there']))).toBe(
        REFUSED,
      );
      expect((await client.query(LOOK, [record])).rows[0]).toMatchObject({ needs_review: true });
    });
  });

  test('can be resolved by HR, who approves the hours', async () => {
    await rolledBack(database.owner, async (client) => {
      const record = await flagged(client, guardHere);
      await become(client, hr);
      expect((await client.query(RESOLVE, [record, 'Seen'])).rowCount).toBe(1);
    });
  });

  test.each([supervisorElsewhere, dispatcher, bystander])('is refused to $name', async (person) => {
    await rolledBack(database.owner, async (client) => {
      const record = await flagged(client, guardHere);
      await become(client, person);
      expect((await client.query(RESOLVE, [record, 'Seen'])).rowCount).toBe(0);
    });
  });
});

test('a supervisor adds a missing clock-in, and is recorded as its author', async () => {
  await rolledBack(database.owner, async (client) => {
    const assignment = await assign(
      client,
      guardHere,
      `now() - interval '9 hours'`,
      `now() - interval '1 hour'`,
    );
    await become(client, supervisorHere);
    await client.query(
      `insert into attendance (assignment_id, clock_in_at, clock_out_at, correction_reason)
       values ($1, now() - interval '9 hours', now() - interval '1 hour', 'The phone was broken')`,
      [assignment],
    );
    const { rows } = await client.query(
      `select r.corrected_by, r.needs_review, a.status, o.states
       from attendance r join assignments a on a.id = r.assignment_id
       join attendance_overview o on o.attendance_id = r.id where a.id = $1`,
      [assignment],
    );
    expect(rows).toEqual([
      { corrected_by: supervisorHere.id, needs_review: false, status: 'completed', states: [] },
    ]);
  });
});
