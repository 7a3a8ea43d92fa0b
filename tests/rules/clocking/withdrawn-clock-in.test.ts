// A guard takes a clock-in made by mistake back: nothing of it counts, and what happened stays on record.
import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import {
  attendanceOf,
  HOUR,
  record,
  type Sent,
  setUpClockEvents,
} from '#tests/support/clock-events.ts';
import { bystander, guardHere as guard, supervisorHere } from '#tests/support/people.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

const { assign, database, onShift } = setUpClockEvents();
const MINUTE = 60_000;

async function stateOf(client: PoolClient, assignment: string) {
  await becomeOwner(client);
  const { rows } = await client.query<{ attendance_state: string; status: string }>(
    'select attendance_state, status from assignments where id = $1',
    [assignment],
  );
  await become(client, guard);
  return rows[0];
}

describe('a clock-in that is taken back', () => {
  test('leaves no record and no duty, and can be followed by another', async () => {
    await onShift(async (client, assignment) => {
      const first = await record(client, { kind: 'in', assignment, at: -10 * MINUTE });
      const sent: Sent = {
        id: crypto.randomUUID(),
        kind: 'withdraw',
        assignment,
        attendance: first.attendance_id,
        gps: null,
      };
      const undone = await record(client, sent);
      expect(undone.attendance_id).toBeNull();
      expect(await record(client, sent)).toEqual(undone);
      expect(await attendanceOf(client, assignment)).toEqual([]);
      expect(await stateOf(client, assignment)).toEqual({
        attendance_state: 'none',
        status: 'assigned',
      });
      // Nothing to clock out of, however the phone asks.
      expect(await attempt(client, () => record(client, { kind: 'out', assignment }))).toBe(
        'PT404',
      );
      await record(client, { kind: 'in', assignment });
      expect(await attendanceOf(client, assignment)).toMatchObject([{ clock_out_at: null }]);
      expect(await stateOf(client, assignment)).toMatchObject({ attendance_state: 'in' });
    });
  });

  test('stays in the events and in the activity log', async () => {
    await onShift(async (client, assignment) => {
      const first = await record(client, { kind: 'in', assignment });
      await record(client, { kind: 'withdraw', assignment, gps: null });
      await becomeOwner(client);
      const events = await client.query(
        'select kind, attendance_id from clock_events where assignment_id = $1 order by received_at',
        [assignment],
      );
      expect(events.rows).toEqual([
        { kind: 'in', attendance_id: null },
        { kind: 'withdraw', attendance_id: null },
      ]);
      const log = await client.query(
        `select action from audit_log where table_name = 'attendance' and row_id = $1 order by id`,
        [first.attendance_id],
      );
      expect(log.rows.map(({ action }) => action)).toEqual(['insert', 'delete']);
    });
  });

  test('without a signal arrives with the clock-in, in order', async () => {
    await onShift(async (client, assignment) => {
      const id = crypto.randomUUID();
      await record(client, { id, kind: 'in', assignment, at: -2 * HOUR });
      await record(client, {
        ...{ kind: 'withdraw', assignment, attendance: id, gps: null },
        at: -2 * HOUR + 20 * MINUTE,
      });
      expect(await attendanceOf(client, assignment)).toEqual([]);
    });
  });

  test('is refused after half an hour, and once the guard has clocked out', async () => {
    await onShift(async (client, assignment) => {
      await record(client, { kind: 'in', assignment, at: -31 * MINUTE });
      const withdraw: Sent = { kind: 'withdraw', assignment, gps: null };
      await expect(record(client, withdraw)).rejects.toThrow(
        'A clock-in can be taken back for 30 minutes. Ask your supervisor to correct it.',
      );
    });
    await onShift(async (client, assignment) => {
      await record(client, { kind: 'in', assignment, at: -5 * MINUTE });
      await record(client, { kind: 'out', assignment });
      const withdraw: Sent = { kind: 'withdraw', assignment, gps: null };
      await expect(record(client, withdraw)).rejects.toThrow('There is no clock-in to take back.');
    });
  });

  test('is refused where somebody else has recorded or corrected it, and for other people', async () => {
    await rolledBack(database().owner, async (client) => {
      const assignment = await assign(client, '-1 hour', '7 hours');
      await become(client, supervisorHere);
      await client.query('insert into attendance (assignment_id) values ($1)', [assignment]);
      await become(client, guard);
      const withdraw: Sent = { kind: 'withdraw', assignment, gps: null };
      await expect(record(client, withdraw)).rejects.toThrow('Somebody else has recorded');
    });
    await onShift(async (client, assignment) => {
      await record(client, { kind: 'in', assignment });
      await become(client, bystander);
      const withdraw: Sent = { kind: 'withdraw', assignment, gps: null };
      expect(await attempt(client, () => record(client, withdraw))).toBe('PT404');
    });
  });

  test('makes the guard missing again, with an alert of its own', async () => {
    await rolledBack(database().owner, async (client) => {
      const { rows: made } = await client.query<{ id: string }>(
        `with shift as (
           insert into shifts (site_id, start_time, end_time)
           select s.id, now() - interval '1 hour', now() + interval '7 hours' from sites s where s.name = 'Here'
           returning id
         )
         insert into assignments (shift_id, user_id, created_at)
         select id, $1, now() - interval '1 day' from shift returning id`,
        [guard.id],
      );
      const assignment = made[0]?.id ?? '';
      const alerts = async () => {
        await becomeOwner(client);
        await client.query('select private.raise_due_alerts()');
        const { rows } = await client.query<{ outcome: string | null }>(
          `select outcome from alerts where kind = 'missing' and assignment_id = $1 order by raised_at, closed_at`,
          [assignment],
        );
        await become(client, guard);
        return rows.map(({ outcome }) => outcome);
      };
      expect(await alerts()).toEqual([null]);
      await record(client, { kind: 'in', assignment });
      expect(await alerts()).toEqual(['arrived']);
      await record(client, { kind: 'withdraw', assignment, gps: null });
      expect(await alerts()).toEqual(['arrived', null]);
      await record(client, { kind: 'in', assignment });
      expect(await alerts()).toEqual(['arrived', 'arrived']);
    });
  });

  test('leaves no hours', async () => {
    await onShift(async (client, assignment) => {
      const worked = async () => {
        await becomeOwner(client);
        await client.query(
          'select private.compute_time(array[$1]::uuid[], current_date - 1, current_date + 1)',
          [guard.id],
        );
        const { rows } = await client.query(
          'select 1 from time_segments where user_id = $1 and attendance_id is not null',
          [guard.id],
        );
        await become(client, guard);
        return rows.length;
      };
      await record(client, { kind: 'in', assignment, at: -20 * MINUTE });
      await worked();
      await record(client, { kind: 'withdraw', assignment, gps: null });
      expect(await worked()).toBe(0);
    });
  });

  test('of a second stay leaves the first', async () => {
    await onShift(async (client, assignment) => {
      await record(client, { kind: 'in', assignment, at: -2 * HOUR });
      await record(client, { kind: 'out', assignment, at: -HOUR });
      await record(client, { kind: 'in', assignment, at: -MINUTE });
      await record(client, { kind: 'withdraw', assignment, gps: null });
      const [only, ...others] = await attendanceOf(client, assignment);
      expect(others).toEqual([]);
      expect(only?.clock_out_at).not.toBeNull();
      expect(await stateOf(client, assignment)).toEqual({
        attendance_state: 'out',
        status: 'completed',
      });
    });
  });
});

describe('a muster that is taken back', () => {
  const muster = (client: PoolClient, assignment: string, kind: 'in' | 'withdraw') =>
    client.query(
      `select * from record_muster(p_id => gen_random_uuid(), p_assignment_id => $1, p_device_at => now(),
        p_kind => $2)`,
      [assignment, kind],
    );

  test('leaves no record, and the guard can be mustered again', async () => {
    await onShift(async (client, assignment) => {
      await become(client, supervisorHere);
      await muster(client, assignment, 'in');
      await muster(client, assignment, 'withdraw');
      expect(await attendanceOf(client, assignment)).toEqual([]);
      expect(await stateOf(client, assignment)).toEqual({
        attendance_state: 'none',
        status: 'assigned',
      });
      await become(client, supervisorHere);
      await muster(client, assignment, 'in');
      expect(await stateOf(client, assignment)).toMatchObject({ attendance_state: 'in' });
    });
  });

  test('is refused where the guard has clocked in, and to guards', async () => {
    await onShift(async (client, assignment) => {
      await record(client, { kind: 'in', assignment });
      expect(await attempt(client, () => muster(client, assignment, 'withdraw'))).toBe('42501');
      await become(client, supervisorHere);
      await expect(muster(client, assignment, 'withdraw')).rejects.toThrow('by you alone');
    });
  });

  test('who is not here is marked in the list', async () => {
    await onShift(async (client, assignment) => {
      await become(client, supervisorHere);
      const isAbsent = async () =>
        (await client.query('select is_absent from muster_list()')).rows[0]?.is_absent;
      expect(await isAbsent()).toBe(false);
      await client.query('select mark_no_show($1, $2)', [assignment, 'Not at post at the muster']);
      expect(await isAbsent()).toBe(true);
      await client.query('select undo_no_show($1)', [assignment]);
      expect(await isAbsent()).toBe(false);
    });
  });
});
