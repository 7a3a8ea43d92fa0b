import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  guardHere as guard,
  guardElsewhere,
  hr,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from attendance');
});

const AT_THE_GATE = '6.3000,-10.8000';

async function shiftOf(
  client: PoolClient,
  person: Person,
  from: string,
  to: string,
): Promise<string> {
  await client.query('delete from assignments where user_id = $1', [person.id]);
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

async function clockIn(
  client: PoolClient,
  assignment: string,
  at: string,
  gps: string | null,
  reason?: string,
) {
  const { rows } = await client.query<Record<string, unknown> & { id: string }>(
    `insert into attendance (assignment_id, clock_in_at, clock_in_gps, clock_in_reason)
     values ($1, now() + $2::interval, $3, $4) returning *`,
    [assignment, at, gps, reason ?? null],
  );
  return rows[0];
}

describe('a guard’s clock-in', () => {
  test.each([
    ['now', '0', AT_THE_GATE, undefined],
    ['earlier on the shift, sent late', '-2 hours', AT_THE_GATE, undefined],
    ['by a phone whose clock is a little ahead', '3 minutes', AT_THE_GATE, undefined],
    ['in the future', '10 minutes', AT_THE_GATE, '23514'],
    ['long before the shift', '-8 hours', AT_THE_GATE, '23514'],
    ['without a location or a reason', '0', null, '23514'],
    ['at no position', '0', 'the gate', '23514'],
    ['at an impossible position', '0', '96.3,-10.8', '23514'],
  ])('%s', async (_when, at, gps, expected) => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await shiftOf(client, guard, '-3 hours', '5 hours');
      await become(client, guard);
      expect(await attempt(client, () => clockIn(client, assignment, at, gps))).toBe(expected);
    });
  });

  test.each([
    ['after the shift has ended', '-10 hours', '-2 hours', '23514'],
    ['more than 4 hours before it starts', '5 hours', '13 hours', '23514'],
    ['within 4 hours of its start', '3 hours', '11 hours', undefined],
  ])('%s', async (_when, from, to, expected) => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await shiftOf(client, guard, from, to);
      await become(client, guard);
      expect(await attempt(client, () => clockIn(client, assignment, '0', AT_THE_GATE))).toBe(
        expected,
      );
    });
  });

  test('on a cancelled assignment or on another guard’s is refused', async () => {
    await rolledBack(database.owner, async (client) => {
      const others = await shiftOf(client, bystander, '-1 hour', '7 hours');
      const own = await shiftOf(client, guard, '-1 hour', '7 hours');
      await client.query(`update assignments set status = 'cancelled' where id = $1`, [own]);
      await become(client, guard);
      expect(await attempt(client, () => clockIn(client, own, '0', AT_THE_GATE))).toBe('23514');
      expect(await attempt(client, () => clockIn(client, others, '0', AT_THE_GATE))).toBe(REFUSED);
    });
  });

  test('has lateness and distance computed whatever was sent, and flags what a supervisor should see', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await shiftOf(client, guard, '-90 minutes', '6 hours');
      await become(client, guard);
      const { rows } = await client.query(
        `insert into attendance (assignment_id, clock_in_at, clock_in_gps, late_minutes, clock_in_distance_m,
           needs_review, user_id, site_id, clock_in_received_at, clock_out_at)
         values ($1, now() - interval '75 minutes', '6.3100,-10.8000', 0, 0, false, $2, $3, now() - interval '75 minutes', now())
         returning late_minutes, clock_in_distance_m, needs_review, user_id, site_id, clock_out_at`,
        [assignment, bystander.id, scene.sites.elsewhere],
      );
      expect(rows).toEqual([
        // A hundredth of a degree of latitude is 1,112 m.
        {
          late_minutes: 15,
          clock_in_distance_m: 1112,
          needs_review: true,
          user_id: guard.id,
          site_id: scene.sites.here,
          clock_out_at: null,
        },
      ]);
    });
  });

  test('at a site without coordinates has no distance and no flag', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('update sites set latitude = null, longitude = null where id = $1', [
        scene.sites.here,
      ]);
      const assignment = await shiftOf(client, guard, '-1 hour', '10 minutes');
      await become(client, guard);
      const record = await clockIn(client, assignment, '0', AT_THE_GATE);
      const { rows } = await client.query(
        `update attendance set clock_out_at = now(), clock_out_gps = '${AT_THE_GATE}' where id = $1
         returning clock_in_distance_m, clock_out_distance_m, flags, needs_review`,
        [record?.id],
      );
      expect(rows).toEqual([
        { clock_in_distance_m: null, clock_out_distance_m: null, flags: [], needs_review: false },
      ]);
    });
  });

  test('without a location but with a reason is stored and flagged for a supervisor', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await shiftOf(client, guard, '-1 hour', '7 hours');
      await become(client, guard);
      const record = await clockIn(client, assignment, '0', null, 'The phone finds no satellites');
      expect(record).toMatchObject({ needs_review: true, clock_in_distance_m: null });
    });
  });
});

describe('a guard’s own record', () => {
  test('accepts one clock-out and no other change', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await shiftOf(client, guard, '-3 hours', '30 minutes');
      await become(client, guard);
      const record = await clockIn(client, assignment, '-2 hours', AT_THE_GATE);
      const change = (set: string) =>
        attempt(client, () =>
          client.query(`update attendance set ${set} where id = $1`, [record?.id]),
        );
      expect(await change(`clock_in_at = now() - interval '3 hours'`)).toBe(REFUSED);
      expect(await change(`clock_in_gps = '${AT_THE_GATE}'`)).toBe(REFUSED);
      expect(await change('needs_review = false')).toBe(REFUSED);
      expect(await change('late_minutes = 0')).toBe(REFUSED);
      expect(await change('clock_out_at = now()')).toBe('23514');
      expect(
        await change(`clock_out_at = now() + interval '1 hour', clock_out_gps = '${AT_THE_GATE}'`),
      ).toBe('23514');
      expect(
        await change(`clock_out_at = now() - interval '5 hours', clock_out_gps = '${AT_THE_GATE}'`),
      ).toBe('23514');
      expect(
        await change(`clock_out_at = now(), clock_out_gps = '${AT_THE_GATE}'`),
      ).toBeUndefined();
      expect(await change(`clock_out_at = now() + interval '1 minute'`)).toBe(REFUSED);
      expect(await change('clock_out_at = null')).toBe(REFUSED);
      const { rows } = await client.query(
        `select r.early_minutes, r.clock_out_distance_m, a.status, a.attendance_state
         from attendance r join assignments a on a.id = r.assignment_id where r.id = $1`,
        [record?.id],
      );
      expect(rows).toEqual([
        {
          early_minutes: 30,
          clock_out_distance_m: 0,
          status: 'completed',
          attendance_state: 'out',
        },
      ]);
    });
  });
});

describe('a supervisor’s correction', () => {
  test('keeps the original, and records who corrected it and why', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await shiftOf(client, guard, '-4 hours', '4 hours');
      await become(client, guard);
      const record = await clockIn(client, assignment, '-2 hours', AT_THE_GATE);
      await become(client, supervisorHere);
      const correct = (interval: string) =>
        client.query(
          `update attendance set clock_in_at = now() - $2::interval, correction_reason = 'Seen at the gate' where id = $1
           returning late_minutes, corrected_by, original_clock_in_at = now() - interval '2 hours' as original_kept,
             clock_in_gps`,
          [record?.id, interval],
        );
      const expected = {
        corrected_by: supervisorHere.id,
        original_kept: true,
        clock_in_gps: AT_THE_GATE,
      };
      expect((await correct('3 hours')).rows).toEqual([{ late_minutes: 60, ...expected }]);
      expect((await correct('4 hours')).rows).toEqual([{ late_minutes: 0, ...expected }]);
    });
  });

  test('can be HR’s, who approve all timesheets: a forgotten clock-out, and a missing record', async () => {
    await rolledBack(database.owner, async (client) => {
      const open = await shiftOf(client, guard, '-9 hours', '-1 hour');
      await become(client, guard);
      const record = await clockIn(client, open, '-8 hours', AT_THE_GATE);
      await become(client, hr);
      const { rows } = await client.query(
        `update attendance set clock_out_at = now() - interval '1 hour', correction_reason = 'Told by the site'
         where id = $1 returning corrected_by, clock_out_way`,
        [record?.id],
      );
      expect(rows).toEqual([{ corrected_by: hr.id, clock_out_way: 'office' }]);
      await becomeOwner(client);
      const missed = await shiftOf(client, guardElsewhere, '-9 hours', '-1 hour');
      await become(client, hr);
      const added = await client.query(
        `insert into attendance (assignment_id, clock_in_at, clock_out_at, correction_reason)
         values ($1, now() - interval '9 hours', now() - interval '1 hour', 'The book of the post') returning corrected_by, user_id`,
        [missed],
      );
      expect(added.rows).toEqual([{ corrected_by: hr.id, user_id: guardElsewhere.id }]);
    });
  });

  test('can’t be made on one’s own record', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = await shiftOf(client, supervisorHere, '-4 hours', '4 hours');
      await become(client, supervisorHere);
      const record = await clockIn(client, assignment, '-2 hours', AT_THE_GATE);
      const error = await attempt(client, () =>
        client.query(
          `update attendance set clock_in_at = now() - interval '4 hours' where id = $1`,
          [record?.id],
        ),
      );
      expect(error).toBe(REFUSED);
    });
  });
});

test('moving a shift recomputes the lateness of its clock events', async () => {
  await rolledBack(database.owner, async (client) => {
    const assignment = await shiftOf(client, guard, '-2 hours', '4 hours');
    await become(client, guard);
    const record = await clockIn(client, assignment, '-2 hours', AT_THE_GATE);
    await become(client, supervisorHere);
    await client.query(
      `update shifts set start_time = start_time - interval '20 minutes'
       where id = (select shift_id from assignments where id = $1)`,
      [assignment],
    );
    const { rows } = await client.query(
      'select late_minutes, corrected_by from attendance where id = $1',
      [record?.id],
    );
    expect(rows).toEqual([{ late_minutes: 20, corrected_by: null }]);
  });
});
