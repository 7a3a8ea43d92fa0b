// A phone without a signal sends the clock-in of an earlier shift when its guard is clocked in on the next one, by the device at
// the gate or by a second phone. It is the guard's work: nothing of it may be lost.
import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import {
  attendanceOf,
  HOUR,
  record,
  type Sent,
  setUpClockEvents,
} from '#tests/support/clock-events.ts';
import { guardHere as guard } from '#tests/support/people.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

const { assign, database } = setUpClockEvents();

interface Told {
  client: PoolClient;
  earlier: string;
  now: string;
  /** The earlier shift was from 26 to 18 hours ago; the present one began an hour ago. */
  send: (
    kind: Sent['kind'],
    assignment: string,
    hoursAgo: number,
    attendance?: string,
  ) => Promise<string>;
}

const onTheNextShift = (work: (told: Told) => Promise<void>): Promise<void> =>
  rolledBack(database().owner, async (client) => {
    const earlier = await assign(client, '-26 hours', '-18 hours');
    const now = await assign(client, '-1 hour', '7 hours');
    await become(client, guard);
    const send: Told['send'] = async (kind, assignment, hoursAgo, attendance) => {
      const id = crypto.randomUUID();
      const sent = { id, kind, assignment, at: -hoursAgo * HOUR, sentAt: 0 };
      await record(client, { ...sent, ...(attendance && { attendance }) });
      return id;
    };
    await send('in', now, 1);
    await work({ client, earlier, now, send });
  });

const present = async ({ client }: Told) => {
  const { rows } = await client.query<{ assignment_id: string }>(
    'select assignment_id from my_current_shift()',
  );
  return rows[0]?.assignment_id;
};

test('both events of the earlier shift are stored with their times, and the present one goes on', async () => {
  await onTheNextShift(async (told) => {
    const { client, earlier, now, send } = told;
    const opened = await send('in', earlier, 26);
    expect(await present(told)).toBe(now);
    await send('out', earlier, 18, opened);
    expect(await attendanceOf(client, earlier)).toEqual([
      expect.objectContaining({
        id: opened,
        clock_in_at: expect.any(Date),
        clock_out_at: expect.any(Date),
        flags: expect.arrayContaining(['overtaken', 'sent_late']),
        needs_review: true,
      }),
    ]);
    const [{ clock_in_at, clock_out_at } = { clock_in_at: null, clock_out_at: null }] =
      await attendanceOf(client, earlier);
    expect(Number(clock_out_at) - Number(clock_in_at)).toBeCloseTo(8 * HOUR, -3);
    expect(await attendanceOf(client, now)).toEqual([
      expect.objectContaining({ clock_out_at: null, flags: ['sent_late'] }),
    ]);
    await send('out', now, 0);
  });
});

test('until its clock-out comes, the guard is on duty on the present shift alone', async () => {
  await onTheNextShift(async (told) => {
    const { client, earlier, now, send } = told;
    await send('in', earlier, 26);
    await becomeOwner(client);
    await client.query('update sites set welfare_every_minutes = 30');
    await client.query('select private.due_welfare_checks()');
    const { rows } = await client.query('select distinct assignment_id from welfare_checks');
    expect(rows).toEqual([{ assignment_id: now }]);
    await become(client, guard);
    // The office sees a forgotten clock-out, and the next clock-in does not wait for it.
    await send('out', now, 0);
    await send('in', now, 0);
  });
});

test('the other way round a clock-in is refused as before: the app asks when the guard left', async () => {
  await rolledBack(database().owner, async (client) => {
    const earlier = await assign(client, '-26 hours', '-18 hours');
    const now = await assign(client, '-1 hour', '7 hours');
    await become(client, guard);
    await record(client, { kind: 'in', assignment: earlier, at: -26 * HOUR });
    await expect(record(client, { kind: 'in', assignment: now })).rejects.toThrow(
      'You are already clocked in.',
    );
  });
});
