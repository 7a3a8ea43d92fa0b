// Leave and absence empty seats, and refused dates of the counts.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  addLeave,
  addShift,
  assign,
  emptyRoster,
  midnight,
  rowsOf,
} from '#tests/support/empty-roster.ts';
import { bystander, dispatcher, guardHere, hr, opsManager } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await emptyRoster());
});

describe('leave', () => {
  const STAFFING = 'select assigned, on_leave, no_shows, staffing from shift_board where id = $1';

  test('approved after assigning empties the shift, also for planners who can’t read leave', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = await addShift(
        client,
        `${midnight(3)} + interval '8 hours'`,
        `${midnight(3)} + interval '16 hours'`,
      );
      await assign(client, shift, guardHere);
      const request = await addLeave(client, guardHere, 2, 4, 'pending');
      const look = async () => {
        await become(client, dispatcher);
        return (await rowsOf(client, STAFFING, [shift]))[0];
      };
      const full = { assigned: 1, on_leave: 0, no_shows: 0, staffing: 'full' };
      expect(await look()).toEqual(full);

      await become(client, hr);
      expect(
        await rowsOf(client, 'select shift_id, required, staffed_without from leave_shifts($1)', [
          request,
        ]),
      ).toEqual([{ shift_id: shift, required: 1, staffed_without: 0 }]);
      const lost = () => rowsOf(client, 'select * from seats_lost_to_leave($1)', [[request]]);
      expect(await lost()).toEqual([{ seats: 1, sites: 1 }]);
      // Another guard holds the seat, too.
      await becomeOwner(client);
      await assign(client, shift, bystander);
      await become(client, hr);
      expect(await lost()).toEqual([{ seats: 0, sites: 0 }]);
      await becomeOwner(client);
      await client.query('delete from assignments where user_id = $1', [bystander.id]);
      await become(client, hr);
      await client.query(`select decide_leave($1, 'approved')`, [request]);
      expect(await lost()).toEqual([{ seats: 0, sites: 0 }]);
      expect(await look()).toEqual({ assigned: 0, on_leave: 1, no_shows: 0, staffing: 'none' });
      await become(client, hr);
      expect(
        await rowsOf(client, 'select staffed_without from leave_shifts($1)', [request]),
      ).toEqual([{ staffed_without: 0 }]);

      await client.query(`select decide_leave($1, 'cancelled', 'The embassy needs you')`, [
        request,
      ]);
      expect(await look()).toEqual(full);
    });
  });

  test('counts on each company day that the shift touches, also when either moves', async () => {
    await rolledBack(database.owner, async (client) => {
      const night = await addShift(
        client,
        `${midnight(3)} + interval '18 hours'`,
        `${midnight(4)} + interval '6 hours'`,
      );
      const evening = await addShift(client, `${midnight(2)} + interval '16 hours'`, midnight(3));
      await assign(client, night, guardHere);
      await assign(client, evening, guardHere);
      const counts = async () =>
        (
          await rowsOf(
            client,
            'select assigned from shift_board where id = any ($1) order by start_time',
            [[evening, night]],
          )
        ).map(({ assigned }) => assigned);
      // A shift that ends at midnight doesn't touch the next day.
      const request = await addLeave(client, guardHere, 3, 3, 'approved');
      expect(await counts()).toEqual([1, 0]);
      await client.query(
        'update leave_requests set start_date = start_date + 1, end_date = end_date + 1 where id = $1',
        [request],
      );
      expect(await counts()).toEqual([1, 0]);
      await client.query(`update shifts set end_time = ${midnight(4)} where id = $1`, [night]);
      expect(await counts()).toEqual([1, 1]);
      await client.query(`update private.settings set time_zone = 'Asia/Tokyo'`);
      expect(await counts()).toEqual([1, 0]);
      await client.query('delete from leave_requests where id = $1', [request]);
      expect(await counts()).toEqual([1, 1]);
    });
  });

  test('can’t be set by a planner, and its changes aren’t logged for the assignment', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = await addShift(client, midnight(3), midnight(4));
      await addLeave(client, guardHere, 3, 3, 'approved');
      await become(client, dispatcher);
      const [row] = await rowsOf(
        client,
        `insert into assignments (shift_id, user_id, on_leave) values ($1, $2, false), ($1, $3, true)
         returning on_leave`,
        [shift, guardHere.id, bystander.id],
      );
      expect(row).toEqual({ on_leave: true });
      expect(
        await rowsOf(client, 'select assigned, on_leave from shift_board where id = $1', [shift]),
      ).toEqual([{ assigned: 1, on_leave: 1 }]);
      expect(
        await attempt(client, () =>
          client.query('update assignments set on_leave = false where shift_id = $1', [shift]),
        ),
      ).toBe('42501');
      await becomeOwner(client);
      await client.query(`update leave_requests set status = 'cancelled'`);
      const log = await rowsOf(
        client,
        `select new_values from audit_log
         where action = 'update' and table_name = 'assignments'
           and row_id in (select id from assignments where shift_id = $1)`,
        [shift],
      );
      expect(log).toEqual([]);
    });
  });
});

test('an absent guard on approved leave is an issue on the dashboard, but not missing', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await addShift(
      client,
      `now() - interval '2 hours'`,
      `now() + interval '2 hours'`,
    );
    await assign(client, shift, guardHere);
    const look = () => rowsOf(client, 'select states, on_leave from attendance_overview');
    await become(client, opsManager);
    // The guard has the minutes of the site from when they were assigned.
    expect(await look()).toEqual([{ states: ['issues'], on_leave: false }]);
    await becomeOwner(client);
    await client.query('delete from assignments where shift_id = $1', [shift]);
    await client.query(
      `insert into assignments (shift_id, user_id, created_at) values ($1, $2, now() - interval '1 day')`,
      [shift, guardHere.id],
    );
    await become(client, opsManager);
    expect(await look()).toEqual([{ states: ['missing', 'issues'], on_leave: false }]);
    await becomeOwner(client);
    await addLeave(client, guardHere, -1, 1, 'approved');
    await become(client, opsManager);
    expect(await look()).toEqual([{ states: ['issues'], on_leave: true }]);
    expect(await rowsOf(client, 'select attendance_issues from dashboard_figures()')).toEqual([
      { attendance_issues: 1 },
    ]);
  });
});

test('a no-show leaves the count, and undoing it restores the count', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await addShift(client, midnight(-1), midnight(0), { headcount: 2 });
    await assign(client, shift, guardHere);
    const missing = await assign(client, shift, bystander);
    await become(client, opsManager);
    const look = () =>
      rowsOf(client, 'select assigned, no_shows, staffing from shift_board where id = $1', [shift]);
    await client.query(`update assignments set status = 'no_show' where id = $1`, [missing]);
    expect(await look()).toEqual([{ assigned: 1, no_shows: 1, staffing: 'partial' }]);
    await client.query(`update assignments set status = 'assigned' where id = $1`, [missing]);
    expect(await look()).toEqual([{ assigned: 2, no_shows: 0, staffing: 'full' }]);
  });
});

test('guards on leave are shown as on leave when guards are chosen', async () => {
  await rolledBack(database.owner, async (client) => {
    await addLeave(client, guardHere, 3, 3, 'approved');
    await become(client, dispatcher);
    const rows = await rowsOf(
      client,
      `select user_id from guard_availability($1, ${midnight(3)}, ${midnight(4)})
       where on_leave and 'On approved leave' = any (warnings)`,
      [scene.sites.here],
    );
    expect(rows).toEqual([{ user_id: guardHere.id }]);
  });
});

describe('impossible dates are refused', () => {
  test.each([
    `week_totals('-infinity')`,
    'week_totals(null)',
    `week_totals('5874897-12-31')`,
    `coverage_by_hour('infinity')`,
    `attendance_of('infinity')`,
    `attendance_counts('-infinity')`,
    `shift_totals('-infinity')`,
    `shift_totals(now() - interval '401 days')`,
    `shift_totals(now(), now() + interval '401 days')`,
    `guard_availability((select id from sites limit 1), now(), 'infinity')`,
    `guard_availability((select id from sites limit 1), null, now())`,
    `guard_availability((select id from sites limit 1), now(), now() + interval '401 days')`,
  ])('%s', async (call) => {
    await rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      expect(await attempt(client, () => client.query(`select * from ${call}`))).toBe('22023');
    });
  });
});
