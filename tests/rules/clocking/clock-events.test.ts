// Clock events from a guard's device are idempotent, corrected and flagged; a flag never refuses an event.
import { createHash } from 'node:crypto';
import { DatabaseError, type Pool } from 'pg';
import { poolOf } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Callers } from '#backend/database/callers.ts';
import {
  A_KILOMETRE_AWAY,
  AT_THE_GATE,
  attendanceOf,
  HOUR,
  RECORD,
  record,
  type Sent,
  type Stored,
  setUpClockEvents,
  valuesOf,
} from '#tests/support/clock-events.ts';
import { bystander, guardHere as guard, supervisorHere } from '#tests/support/people.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

const { assign, database, onShift } = setUpClockEvents();

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
      const before = Date.now();
      const event = await record(client, { kind: 'in', assignment, ...sent });
      // However long a busy machine took.
      expect(event.effective_at.getTime() - before - at).toBeGreaterThan(-5_000);
      expect(event.effective_at.getTime() - Date.now() - at).toBeLessThan(5_000);
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
    await rolledBack(database().owner, async (client) => {
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
  await rolledBack(database().owner, async (client) => {
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
  await rolledBack(database().owner, async (client) => {
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

test('the shift after the last one is among them, however far ahead', async () => {
  await rolledBack(database().owner, async (client) => {
    const done = await assign(client, '-9 hours', '-1 hour');
    const next = await assign(client, '20 days', '20 days 8 hours');
    await assign(client, '30 days', '30 days 8 hours');
    await become(client, guard);
    const { rows } = await client.query<{ assignment_id: string }>(
      'select assignment_id from my_clock_shifts()',
    );
    expect(rows.map((row) => row.assignment_id)).toEqual([done, next]);
  });
});

describe('concurrent events', () => {
  const SESSIONS = 12;
  let pool: Pool;
  let callers: Callers;

  beforeAll(() => {
    pool = poolOf(database().connection, SESSIONS);
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
    const client = await database().owner.connect();
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
