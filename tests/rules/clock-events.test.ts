// Clock events from a guard's device are idempotent, corrected and flagged; a flag never refuses an event.
import { createHash } from 'node:crypto';
import pg, { DatabaseError, type PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Callers } from '#backend/database/callers.ts';
import {
  bystander,
  guardHere as guard,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import { buildScene, type Scene } from '#tests/support/scene.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
  await database.owner.query('delete from attendance; delete from assignments');
});

const HOUR = 3_600_000;
const AT_THE_GATE = '6.3000,-10.8000';
const A_KILOMETRE_AWAY = '6.3100,-10.8000';

interface Sent {
  id?: string;
  kind: 'in' | 'out' | 'reopen';
  assignment: string;
  attendance?: string;
  /** Milliseconds from now on the device's clock. */
  at?: number;
  offset?: number;
  sentAt?: number;
  enteredAt?: number;
  gps?: string | null;
  reason?: string;
  previous?: string;
  hash?: string;
}

interface Stored {
  id: string;
  attendance_id: string;
  device_at: Date;
  effective_at: Date;
  clock_off: boolean;
  chain_intact: boolean;
  entered_by_guard: boolean;
  hash: string;
}

const RECORD = `select * from record_clock_event(p_id => $1, p_kind => $2, p_assignment_id => $3, p_attendance_id => $4,
  p_device_at => $5, p_server_offset_ms => $6, p_sent_at => $7, p_entered_at => $8, p_gps => $9, p_accuracy_m => 12.5,
  p_fix_age_s => 4, p_reason => $10, p_previous_hash => $11, p_hash => $12)`;

const moment = (ms: number | undefined) => (ms === undefined ? null : new Date(Date.now() + ms));

function valuesOf({ gps = AT_THE_GATE, ...sent }: Sent): unknown[] {
  return [
    sent.id ?? crypto.randomUUID(),
    sent.kind,
    sent.assignment,
    sent.attendance ?? null,
    moment(sent.at ?? 0),
    sent.offset ?? null,
    moment(sent.sentAt),
    moment(sent.enteredAt),
    gps,
    sent.reason ?? null,
    sent.previous ?? null,
    sent.hash ?? null,
  ];
}

async function record(client: PoolClient, sent: Sent): Promise<Stored> {
  const { rows } = await client.query<Stored>(RECORD, valuesOf(sent));
  if (rows[0] === undefined) throw new Error('No answer.');
  return rows[0];
}

async function assign(client: PoolClient, from: string, to: string, person: Person = guard) {
  const { rows } = await client.query<{ id: string }>(
    `with shift as (
       insert into shifts (site_id, start_time, end_time)
       values ($1, now() + $3::interval, now() + $4::interval) returning id
     )
     insert into assignments (shift_id, user_id) select id, $2 from shift returning id`,
    [scene.sites.here, person.id, from, to],
  );
  return rows[0]?.id ?? '';
}

async function attendanceOf(client: PoolClient, assignment: string) {
  const { rows } = await client.query<{
    id: string;
    clock_in_at: Date;
    clock_out_at: Date | null;
    flags: string[];
    needs_review: boolean;
  }>(
    'select id, clock_in_at, clock_out_at, flags, needs_review from attendance where assignment_id = $1',
    [assignment],
  );
  return rows;
}

/** A guard on a shift from three hours ago to five hours from now, in a new transaction. */
async function onShift(work: (client: PoolClient, assignment: string) => Promise<void>) {
  await rolledBack(database.owner, async (client) => {
    const assignment = await assign(client, '-3 hours', '5 hours');
    await become(client, guard);
    await work(client, assignment);
  });
}

describe('a clock event', () => {
  test('and its repeat get the same response and make one record', async () => {
    await onShift(async (client, assignment) => {
      const sent: Sent = { id: crypto.randomUUID(), kind: 'in', assignment, at: -60_000 };
      const first = await record(client, sent);
      expect(await record(client, sent)).toEqual(first);
      const out = await record(client, { kind: 'out', assignment, attendance: sent.id ?? '' });
      expect(await record(client, sent)).toEqual(first);
      expect(out.attendance_id).toBe(first.attendance_id);
      expect(await attendanceOf(client, assignment)).toEqual([
        expect.objectContaining({
          id: sent.id,
          clock_in_at: first.effective_at,
          flags: ['left_early'],
        }),
      ]);
    });
  });

  test.each<[string, Partial<Sent>, string[]]>([
    ['at the gate', {}, []],
    ['away from the site', { gps: A_KILOMETRE_AWAY }, ['outside_fence']],
    ['without a location', { gps: null, reason: 'No satellites' }, ['no_location']],
    ['sent an hour late', { at: -HOUR }, ['sent_late']],
    ['by a clock an hour ahead', { at: HOUR, offset: -HOUR }, ['device_clock']],
    ['by a clock that never met ours', { at: HOUR, sentAt: HOUR }, ['device_clock']],
    [
      'with everything wrong',
      { at: -2 * HOUR, offset: HOUR, gps: A_KILOMETRE_AWAY },
      ['device_clock', 'outside_fence', 'sent_late'],
    ],
  ])('%s is taken and marked', async (_how, sent, flags) => {
    await onShift(async (client, assignment) => {
      await record(client, { kind: 'in', assignment, ...sent });
      expect(await attendanceOf(client, assignment)).toEqual([
        expect.objectContaining({ flags, needs_review: flags.length > 0 }),
      ]);
    });
  });

  test('from a clock an hour ahead counts at the right time, and stores the device’s time', async () => {
    await onShift(async (client, assignment) => {
      const at = Date.now() + HOUR - 60_000;
      const event = await record(client, {
        kind: 'in',
        assignment,
        at: HOUR - 60_000,
        offset: -HOUR,
      });
      expect(Math.abs(event.device_at.getTime() - at)).toBeLessThan(5_000);
      expect(event.device_at.getTime() - event.effective_at.getTime()).toBe(HOUR);
      expect(event.clock_off).toBe(true);
    });
  });

  test.each<[string, Partial<Sent>, number]>([
    ['set an hour ahead since they last met', { at: HOUR, offset: 0 }, 0],
    ['set ahead, and right again when it is sent', { at: HOUR, offset: 0, sentAt: 0 }, 0],
    [
      'that began again in 1970, and was still there when it was sent',
      { at: -20_000 * 24 * HOUR, offset: 0, sentAt: -20_000 * 24 * HOUR + HOUR },
      -HOUR,
    ],
  ])('by a clock %s counts at a time that can be, and is marked', async (_how, sent, at) => {
    await onShift(async (client, assignment) => {
      const event = await record(client, { kind: 'in', assignment, ...sent });
      expect(Math.abs(event.effective_at.getTime() - Date.now() - at)).toBeLessThan(5_000);
      expect(event.clock_off).toBe(true);
      const [found] = await attendanceOf(client, assignment);
      expect(found?.flags).toContain('device_clock');
      await record(client, { kind: 'out', assignment, ...sent, attendance: event.attendance_id });
      expect((await attendanceOf(client, assignment))[0]?.clock_out_at).not.toBeNull();
    });
  });

  test('extends the hash chain, and one that doesn’t fit is stored and flagged', async () => {
    await onShift(async (client, assignment) => {
      const sent: Sent = { id: crypto.randomUUID(), kind: 'in', assignment };
      const values = valuesOf(sent);
      const at = values[4] instanceof Date ? values[4].getTime() : 0;
      const text = [sent.id, 'in', assignment, at, '', '', AT_THE_GATE, ''].join('|');
      values[11] = createHash('sha256').update(text).digest('hex');
      const first = (await client.query<Stored>(RECORD, values)).rows[0];
      expect(first).toMatchObject({ hash: values[11], chain_intact: true });
      const out = await record(client, {
        kind: 'out',
        assignment,
        previous: 'f'.repeat(64),
        hash: 'e'.repeat(64),
      });
      expect(out.chain_intact).toBe(false);
    });
  });
});

describe('a clock-out', () => {
  test('entered by the guard the next day closes the record and is flagged', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await assign(client, '-30 hours', '-22 hours');
      await client.query(
        `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '30 hours')`,
        [assignment],
      );
      await become(client, guard);
      const early = { kind: 'out', assignment, gps: null, enteredAt: -31 * HOUR } as const;
      expect(await attempt(client, () => record(client, early))).toBe('23514');
      const event = await record(client, { ...early, enteredAt: -22 * HOUR });
      expect(event.entered_by_guard).toBe(true);
      expect(await attendanceOf(client, assignment)).toEqual([
        expect.objectContaining({
          clock_out_at: event.effective_at,
          flags: ['entered_by_guard'],
          needs_review: true,
        }),
      ]);
    });
  });

  test('forgotten before a week off can still be entered, and allows the next clock-in', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await assign(client, '-218 hours', '-210 hours');
      const next = await assign(client, '-1 hour', '7 hours');
      await client.query(
        `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '218 hours')`,
        [assignment],
      );
      await become(client, guard);
      await record(client, { kind: 'out', assignment, gps: null, enteredAt: -210 * HOUR });
      await record(client, { kind: 'in', assignment: next });
      expect(await attendanceOf(client, assignment)).toMatchObject([
        { flags: ['entered_by_guard'], needs_review: true },
      ]);
    });
  });

  test('after midnight belongs to the shift of the clock-in', async () => {
    await rolledBack(database.owner, async (client) => {
      const night = await assign(client, '-12 hours', '0 hours');
      const next = await assign(client, '10 minutes', '8 hours');
      await become(client, guard);
      await record(client, { kind: 'in', assignment: night, at: -12 * HOUR });
      await record(client, { kind: 'out', assignment: night });
      await record(client, { kind: 'in', assignment: next });
      expect(await attendanceOf(client, night)).toHaveLength(1);
      expect(await attendanceOf(client, next)).toEqual([
        expect.objectContaining({ clock_out_at: null }),
      ]);
    });
  });

  test('twice, or without a clock-in, is refused with a hint', async () => {
    await onShift(async (client, assignment) => {
      const out: Sent = { kind: 'out', assignment };
      expect(await attempt(client, () => record(client, out))).toBe('PT404');
      await record(client, { kind: 'in', assignment, at: -60_000 });
      await record(client, out);
      await expect(record(client, out)).rejects.toThrow('You have already clocked out.');
    });
  });
});

describe('leaving early', () => {
  test.each<[string, string, string[]]>([
    ['16 minutes before the end', '16 minutes', ['left_early']],
    ['14 minutes before the end', '14 minutes', []],
    ['after the end', '-5 minutes', []],
  ])('%s', async (_when, end, flags) => {
    const expected = [expect.objectContaining({ flags, needs_review: flags.length > 0 })];
    await rolledBack(database.owner, async (client) => {
      const assignment = await assign(client, '-8 hours', end);
      await client.query(
        `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '8 hours')`,
        [assignment],
      );
      await become(client, guard);
      await record(client, { kind: 'out', assignment });
      expect(await attendanceOf(client, assignment)).toEqual(expected);
    });
  });

  test('is flagged when sent as a table update and through the function', async () => {
    const update = `update attendance set clock_out_at = now(), clock_out_gps = $2 where id = $1`;
    for (const isFunction of [false, true]) {
      await onShift(async (client, assignment) => {
        const { attendance_id } = await record(client, { kind: 'in', assignment });
        if (isFunction) await record(client, { kind: 'out', assignment });
        else await client.query(update, [attendance_id, AT_THE_GATE]);
        expect(await attendanceOf(client, assignment)).toMatchObject([
          { flags: ['left_early'], needs_review: true },
        ]);
      });
    }
  });
});

describe('a clock-out made by mistake', () => {
  async function inAndOut(client: PoolClient, assignment: string, outAt = 0) {
    const { attendance_id } = await record(client, {
      kind: 'in',
      assignment,
      at: -HOUR / 6 + outAt,
    });
    await record(client, { kind: 'out', assignment, attendance: attendance_id, at: outAt });
    return attendance_id;
  }

  test('can be undone within 30 minutes, once per event, and is flagged', async () => {
    await onShift(async (client, assignment) => {
      const attendance = await inAndOut(client, assignment, -20 * 60_000);
      const sent: Sent = {
        id: crypto.randomUUID(),
        kind: 'reopen',
        assignment,
        attendance,
        gps: null,
      };
      const event = await record(client, sent);
      expect(await record(client, sent)).toEqual(event);
      const { rows } = await client.query(
        `select r.id, r.clock_out_at, r.clock_out_gps, r.early_minutes, r.needs_review, r.flags, a.status, a.attendance_state
         from attendance r join assignments a on a.id = r.assignment_id where a.id = $1`,
        [assignment],
      );
      expect(rows).toEqual([
        {
          id: attendance,
          clock_out_at: null,
          clock_out_gps: null,
          early_minutes: 0,
          needs_review: true,
          flags: ['reopened', 'sent_late'],
          status: 'confirmed',
          attendance_state: 'in',
        },
      ]);
      const out = await record(client, { kind: 'out', assignment, attendance });
      expect(await attendanceOf(client, assignment)).toMatchObject([
        { clock_out_at: out.effective_at, flags: ['left_early', 'reopened', 'sent_late'] },
      ]);
      const again = await record(client, { kind: 'reopen', assignment, attendance, gps: null });
      expect(again.attendance_id).toBe(attendance);
    });
  });

  test('is undone by the device’s time, however late it arrives', async () => {
    await onShift(async (client, assignment) => {
      const attendance = await inAndOut(client, assignment, -2 * HOUR);
      await record(client, {
        ...{ kind: 'reopen', assignment, attendance, gps: null },
        ...{ at: -2 * HOUR + 10 * 60_000, offset: 0 },
      });
      expect(await attendanceOf(client, assignment)).toMatchObject([{ clock_out_at: null }]);
    });
  });

  test('needs review again after it was undone', async () => {
    await onShift(async (client, assignment) => {
      const attendance = await inAndOut(client, assignment);
      await become(client, supervisorHere);
      await client.query(
        `update attendance set needs_review = false, resolution = 'Sent home' where id = $1`,
        [attendance],
      );
      await become(client, guard);
      await record(client, { kind: 'reopen', assignment, attendance, gps: null });
      const { rows } = await client.query(
        'select needs_review, resolution from attendance where id = $1',
        [attendance],
      );
      expect(rows).toEqual([{ needs_review: true, resolution: null }]);
    });
  });

  test('can’t be undone when it is older, corrected, missing, another guard’s, or by a table update', async () => {
    const undo = (assignment: string): Sent => ({ kind: 'reopen', assignment, gps: null });
    await onShift(async (client, assignment) => {
      expect(await attempt(client, () => record(client, undo(assignment)))).toBe('PT404');
      const attendance = await inAndOut(client, assignment, -31 * 60_000);
      await expect(record(client, undo(assignment))).rejects.toThrow(
        'A clock-out can be reopened for 30 minutes. Ask your supervisor to correct it.',
      );
      expect(attendance).toBeDefined();
    });
    await onShift(async (client, assignment) => {
      const attendance = await inAndOut(client, assignment);
      for (const set of ['clock_out_at = null', 'clock_out_at = null, reopened_at = now()']) {
        const sql = `update attendance set ${set} where id = $1`;
        expect(await attempt(client, () => client.query(sql, [attendance]))).toBe('42501');
      }
      await become(client, bystander);
      expect(await attempt(client, () => record(client, undo(assignment)))).toBe('PT404');
      await become(client, supervisorHere);
      await client.query(
        `update attendance set clock_out_at = now() - interval '1 minute', correction_reason = 'Left' where id = $1`,
        [attendance],
      );
      await become(client, guard);
      expect(await attempt(client, () => record(client, undo(assignment)))).toBe('23514');
    });
    await onShift(async (client, assignment) => {
      await inAndOut(client, assignment);
      await record(client, { kind: 'in', assignment });
      expect(await attempt(client, () => record(client, undo(assignment)))).toBe('23505');
    });
  });
});

test('an event joins the record that a supervisor added while the phone was offline', async () => {
  await onShift(async (client, assignment) => {
    await become(client, supervisorHere);
    await client.query(
      `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '3 hours')`,
      [assignment],
    );
    await become(client, guard);
    const event = await record(client, { kind: 'in', assignment, at: -2 * HOUR });
    const [found, ...others] = await attendanceOf(client, assignment);
    expect(others).toEqual([]);
    expect(found?.id).toBe(event.attendance_id);
    expect(found?.clock_in_at).not.toEqual(event.effective_at);
    const again: Sent = { kind: 'in', assignment };
    await expect(record(client, again)).rejects.toThrow('You are already clocked in.');
  });
});

test.each([
  ['taken off the shift', 'delete from assignments where id = $1'],
  ['taken off by cancelling', `update assignments set status = 'cancelled' where id = $1`],
  [
    'on a shift that was removed',
    'delete from shifts where id = (select shift_id from assignments where id = $1)',
  ],
])(
  'an event of a guard who was %s is refused, and stored once they are on it again',
  async (_how, removal) => {
    await rolledBack(database.owner, async (client) => {
      const before = await assign(client, '-3 hours', '5 hours');
      await client.query(removal, [before]);
      await become(client, guard);
      const sent: Sent = { id: crypto.randomUUID(), kind: 'in', assignment: before, at: -HOUR };
      expect(await attempt(client, () => record(client, sent))).toMatch(/^(PT404|23514)$/);
      await becomeOwner(client);
      const other = await assign(client, '6 hours', '9 hours');
      const again = await assign(client, '-3 hours', '5 hours');
      await become(client, guard);
      const event = await record(client, sent);
      expect(await record(client, sent)).toEqual(event);
      await record(client, { kind: 'out', assignment: before, attendance: sent.id ?? '' });
      expect(await attendanceOf(client, again)).toMatchObject([{ id: sent.id }]);
      expect(await attendanceOf(client, other)).toEqual([]);
      await become(client, bystander);
      const theirs: Sent = { kind: 'in', assignment: before };
      expect(await attempt(client, () => record(client, theirs))).toBe('PT404');
    });
  },
);

test('overlapping events sent late by a second phone are stored and flagged, consecutive ones are not flagged', async () => {
  await onShift(async (client, assignment) => {
    const early: Sent = { kind: 'in', assignment, at: -2.5 * HOUR };
    await record(client, { kind: 'in', assignment, at: -2 * HOUR });
    await expect(record(client, early)).rejects.toThrow('You are already clocked in.');
  });
  await onShift(async (client, assignment) => {
    await record(client, { kind: 'in', assignment, at: -2 * HOUR });
    await record(client, { kind: 'out', assignment, at: -HOUR });
    const flagsOf = async (id: string) =>
      (await attendanceOf(client, assignment)).find((row) => row.id === id)?.flags ?? [];
    const before = await record(client, { kind: 'in', assignment, at: -2.5 * HOUR });
    expect(await flagsOf(before.attendance_id)).toEqual(['sent_late']);
    await record(client, { kind: 'out', assignment, at: 0, attendance: before.attendance_id });
    expect(await flagsOf(before.attendance_id)).toEqual(['left_early', 'overlaps', 'sent_late']);
  });
  await onShift(async (client, assignment) => {
    await record(client, { kind: 'in', assignment, at: -2 * HOUR });
    await record(client, { kind: 'out', assignment, at: -HOUR });
    const within = await record(client, { kind: 'in', assignment, at: -1.5 * HOUR });
    await record(client, { kind: 'out', assignment, at: -HOUR, attendance: within.attendance_id });
    const after = await record(client, { kind: 'in', assignment, at: -HOUR });
    await record(client, { kind: 'out', assignment, attendance: after.attendance_id });
    const found = await attendanceOf(client, assignment);
    const overlapping = found.filter(({ flags }) => flags.includes('overlaps'));
    expect(overlapping.map(({ id }) => id)).toEqual([within.attendance_id]);
  });
});

test('a guard can’t clock for another, or reuse an event’s id', async () => {
  await rolledBack(database.owner, async (client) => {
    const own = await assign(client, '-1 hour', '7 hours');
    const others = await assign(client, '-1 hour', '7 hours', bystander);
    await become(client, guard);
    const theirs: Sent = { kind: 'in', assignment: others };
    expect(await attempt(client, () => record(client, theirs))).toBe('PT404');
    const { id } = await record(client, { kind: 'in', assignment: own });
    await become(client, bystander);
    expect(await attempt(client, () => record(client, { ...theirs, id }))).toBe('23505');
    await becomeOwner(client);
    await client.query(`update profiles set must_change_password = true where id = $1`, [
      bystander.id,
    ]);
    await become(client, bystander);
    expect(await attempt(client, () => record(client, theirs))).toBe('PT401');
  });
});

test('shifts to choose from: the open record first, then the nearest', async () => {
  await rolledBack(database.owner, async (client) => {
    const tomorrow = await assign(client, '24 hours', '32 hours');
    const soon = await assign(client, '2 hours', '10 hours');
    const forgotten = await assign(client, '-40 hours', '-32 hours');
    const now = await assign(client, '-1 hour', '1 hour');
    await assign(client, '-80 hours', '-72 hours');
    await assign(client, '-1 hour', '7 hours', bystander);
    await client.query(
      `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '40 hours')`,
      [forgotten],
    );
    await become(client, guard);
    const { rows } = await client.query<{ assignment_id: string }>(
      'select assignment_id from my_clock_shifts()',
    );
    expect(rows.map((row) => row.assignment_id)).toEqual([forgotten, now, soon, tomorrow]);
  });
});

describe('concurrent events', () => {
  const SESSIONS = 12;
  let pool: pg.Pool;
  let callers: Callers;

  beforeAll(() => {
    pool = new pg.Pool({ ...database.connection, max: SESSIONS });
    callers = new Callers(pool, () => {});
  });
  afterAll(() => pool.end());

  async function send(sent: Sent): Promise<string> {
    const values = valuesOf(sent).map((value) =>
      value instanceof Date ? value.toISOString() : value === null ? null : String(value),
    );
    const caller = { role: 'authenticated', claims: JSON.stringify(guard.claims) };
    try {
      await callers.run(caller, { text: RECORD, values });
      return 'stored';
    } catch (error) {
      if (error instanceof DatabaseError) return error.message;
      throw error;
    }
  }

  test('the same event twelve times is stored once, and opposite events take turns', async () => {
    const client = await database.owner.connect();
    const assignment = await assign(client, '-3 hours', '5 hours');
    const sent: Sent = { id: crypto.randomUUID(), kind: 'in', assignment, at: -60_000 };
    const answers = await Promise.all(Array.from({ length: SESSIONS }, () => send(sent)));
    expect(new Set(answers)).toEqual(new Set(['stored']));
    const opposite = await Promise.all([
      send({ kind: 'out', assignment }),
      send({ kind: 'in', assignment }),
      send({ kind: 'out', assignment }),
    ]);
    const outs = [opposite[0], opposite[2]];
    expect(outs.filter((answer) => answer === 'stored').length).toBeGreaterThanOrEqual(1);
    const { rows } = await client.query<{ kind: string; count: number }>(
      'select kind, count(*)::int from clock_events where assignment_id = $1 group by kind order by kind',
      [assignment],
    );
    // The clock-in was refused before the first clock-out, or began a second record after it.
    const inCount = opposite[1] === 'stored' ? 2 : 1;
    expect(rows.find(({ kind }) => kind === 'in')?.count).toBe(inCount);
    const open = (await attendanceOf(client, assignment)).filter((row) => !row.clock_out_at);
    expect(open.length).toBeLessThanOrEqual(1);
    client.release();
  });
});
