// Whatever way a guard is clocked in, one event makes one record, and the way is stored.
import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { HOUR, record, setUpClockEvents } from '#tests/support/clock-events.ts';
import { guardHere as guard, supervisorHere } from '#tests/support/people.ts';
import { become, becomeOwner } from '#tests/support/session.ts';

const { onShift } = setUpClockEvents();

type Way = 'phone' | 'device' | 'muster' | 'message' | 'office';
interface Sent {
  way: Way;
  kind?: 'in' | 'out';
  assignment: string;
  id?: string;
  /** Milliseconds from now. */
  at?: number;
}

/** As the functions of the ways call it. @returns the id of the record */
async function send(client: PoolClient, { way, kind = 'in', assignment, id, at = 0 }: Sent) {
  await becomeOwner(client);
  const { rows } = await client.query<{ attendance_id: string }>(
    `select * from private.record_event_for(p_person => $1, p_way => $2, p_made_by => null, p_device => null,
       p_id => $3, p_kind => $4, p_assignment_id => $5, p_device_at => $6, p_reason => 'Without a location')`,
    [guard.id, way, id ?? crypto.randomUUID(), kind, assignment, new Date(Date.now() + at)],
  );
  return rows[0]?.attendance_id;
}

async function records(client: PoolClient, assignment: string) {
  await becomeOwner(client);
  const { rows } = await client.query(
    `select id, clock_in_way, clock_out_way, flags, needs_review from attendance where assignment_id = $1`,
    [assignment],
  );
  return rows;
}

describe('two ways of clocking', () => {
  test.each<[Way, Way]>([
    ['device', 'message'],
    ['device', 'device'],
    ['muster', 'device'],
    ['message', 'muster'],
    ['phone', 'device'],
  ])('%s and then %s in make one record, with the first’s way', async (first, second) => {
    await onShift(async (client, assignment) => {
      const opened = await send(client, { way: first, assignment });
      expect(await send(client, { way: second, assignment })).toBe(opened);
      expect(await records(client, assignment)).toEqual([
        expect.objectContaining({ id: opened, clock_in_way: first, clock_out_way: null }),
      ]);
    });
  });

  test('in and out, in any order of arrival, make one record and keep every event', async () => {
    await onShift(async (client, assignment) => {
      const opened = await send(client, { way: 'device', assignment, at: -2 * HOUR });
      await send(client, { way: 'device', kind: 'out', assignment, at: -60_000 });
      // The guard's own phone finds a signal.
      expect(await send(client, { way: 'phone', assignment, at: -2 * HOUR })).toBe(opened);
      expect(await send(client, { way: 'phone', kind: 'out', assignment, at: -60_000 })).toBe(
        opened,
      );
      const [found, ...others] = await records(client, assignment);
      expect(others).toEqual([]);
      expect(found).toMatchObject({ clock_in_way: 'device', clock_out_way: 'device' });
      expect(found.flags).not.toContain('ways_differ');
      const events = await client.query('select from clock_events where assignment_id = $1', [
        assignment,
      ]);
      expect(events.rowCount).toBe(4);
    });
  });

  test('with different times are flagged', async () => {
    await onShift(async (client, assignment) => {
      await send(client, { way: 'muster', assignment });
      await send(client, { way: 'phone', assignment, at: -HOUR });
      const [found] = await records(client, assignment);
      expect(found).toMatchObject({ needs_review: true });
      expect(found.flags).toContain('ways_differ');
    });
  });

  test('by the same phone are refused as ever', async () => {
    await onShift(async (client, assignment) => {
      await record(client, { kind: 'in', assignment });
      await expect(record(client, { kind: 'in', assignment })).rejects.toThrow(
        'You are already clocked in.',
      );
    });
  });

  test('do not swallow a guard who comes back', async () => {
    await onShift(async (client, assignment) => {
      await send(client, { way: 'device', assignment, at: -2 * HOUR });
      await send(client, { way: 'device', kind: 'out', assignment, at: -HOUR });
      await send(client, { way: 'device', assignment, at: -60_000 });
      expect(await records(client, assignment)).toHaveLength(2);
    });
  });
});

test('a way that the site does not accept is stored all the same, and reviewed', async () => {
  await onShift(async (client, assignment) => {
    await becomeOwner(client);
    await client.query(`update sites set clock_ways = '{phone,muster}' where name = 'Here'`);
    await send(client, { way: 'device', assignment });
    expect(await records(client, assignment)).toEqual([
      expect.objectContaining({ flags: ['way_not_accepted'], needs_review: true }),
    ]);
  });
});

test('a repeat of one event is one event, in whatever way', async () => {
  await onShift(async (client, assignment) => {
    const id = crypto.randomUUID();
    const opened = await send(client, { way: 'message', assignment, id });
    expect(await send(client, { way: 'message', assignment, id })).toBe(opened);
    expect(await records(client, assignment)).toHaveLength(1);
  });
});

test('a shared device and a message need no location; a phone and a muster do', async () => {
  for (const [way, flags] of [
    ['device', []],
    ['message', []],
    ['phone', ['no_location']],
    ['muster', ['no_location']],
  ] as const) {
    await onShift(async (client, assignment) => {
      await send(client, { way, assignment });
      expect(await records(client, assignment)).toEqual([
        expect.objectContaining({ clock_in_way: way, flags, needs_review: flags.length > 0 }),
      ]);
    });
  }
});

test('entries of a supervisor are from the office, and a correction keeps the way', async () => {
  await onShift(async (client, assignment) => {
    await become(client, supervisorHere);
    await client.query(
      `insert into attendance (assignment_id, clock_in_at, clock_in_way) values ($1, now() - interval '1 hour', 'phone')`,
      [assignment],
    );
    expect(await records(client, assignment)).toEqual([
      expect.objectContaining({ clock_in_way: 'office', clock_out_way: null }),
    ]);
    await send(client, { way: 'device', kind: 'out', assignment });
    await become(client, supervisorHere);
    await client.query(
      `update attendance set clock_in_at = now() - interval '2 hours', correction_reason = 'Guard book'
       where assignment_id = $1`,
      [assignment],
    );
    expect(await records(client, assignment)).toEqual([
      expect.objectContaining({ clock_in_way: 'office', clock_out_way: 'device' }),
    ]);
  });
});
