import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import {
  AT_THE_GATE,
  attendanceOf,
  HOUR,
  record,
  type Sent,
  setUpClockEvents,
} from '#tests/support/clock-events.ts';
import { bystander, guardHere as guard, supervisorHere } from '#tests/support/people.ts';
import { attempt, become, rolledBack } from '#tests/support/session.ts';

const { assign, database, onShift } = setUpClockEvents();

describe('a clock-out', () => {
  test('entered by the guard the next day closes the record and is flagged', async () => {
    await rolledBack(database().owner, async (client) => {
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
    await rolledBack(database().owner, async (client) => {
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
    await rolledBack(database().owner, async (client) => {
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
    await rolledBack(database().owner, async (client) => {
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
