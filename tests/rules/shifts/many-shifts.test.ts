// Many shifts and clock-outs in one call: deleted with their guards, moved, and restored.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { Callers } from '#backend/database/callers.ts';
import {
  admin,
  bystander,
  guardHere,
  opsManager,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, call, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

/** Night shifts on 15 days in a row, each with the same guard. @returns their ids */
async function addSeries(client: PoolClient, { guard = bystander, site = scene.sites.here } = {}) {
  const { rows } = await client.query<{ id: string }>(
    `insert into shifts (site_id, start_time, end_time)
     select $1, date '2027-03-01' + n + time '18:00', date '2027-03-02' + n + time '06:00'
     from generate_series(0, 14) n returning id`,
    [site],
  );
  const ids = rows.map(({ id }) => id);
  await client.query('insert into assignments (shift_id, user_id) select unnest($1::uuid[]), $2', [
    ids,
    guard.id,
  ]);
  return ids;
}

const timesOf = async (client: PoolClient, ids: string[]) =>
  (
    await client.query<{ start: string; end: string; period: string; site_id: string }>(
      `select to_char(start_time, 'MM-DD HH24:MI') as start, to_char(end_time, 'MM-DD HH24:MI') as end, s.site_id,
         a.period = tstzrange(s.start_time, s.end_time) as period
       from shifts s join assignments a on a.shift_id = s.id where s.id = any ($1) order by s.start_time`,
      [ids],
    )
  ).rows;

describe('a wrong series of 15 shifts', () => {
  test('is deleted with its guards and restored by Undo', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addSeries(client);
      await become(client, opsManager);
      const before = await timesOf(client, ids);
      const deleted = await call<unknown[]>(client, `delete_records('shifts', $1)`, [ids]);
      expect(deleted).toHaveLength(15);
      expect(await timesOf(client, ids)).toEqual([]);
      const { rows } = await client.query(`select * from restore_records('shifts', $1)`, [
        JSON.stringify(deleted),
      ]);
      expect(rows).toEqual([{ restored: 15, left_out: [] }]);
      expect(await timesOf(client, ids)).toEqual(before);
    });
  });

  test('is restored without a guard who works elsewhere by now', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addSeries(client);
      await become(client, opsManager);
      const deleted = await call<unknown[]>(client, `delete_records('shifts', $1)`, [ids]);
      await client.query(
        `with other as (insert into shifts (site_id, start_time, end_time)
           values ($1, '2027-03-05 20:00Z', '2027-03-05 22:00Z') returning id)
         insert into assignments (shift_id, user_id) select id, $2 from other`,
        [scene.sites.elsewhere, bystander.id],
      );
      const { rows } = await client.query(`select * from restore_records('shifts', $1)`, [
        JSON.stringify(deleted),
      ]);
      expect(rows).toEqual([
        { restored: 15, left_out: [expect.stringContaining('bystander is already on')] },
      ]);
      expect(await timesOf(client, ids)).toHaveLength(14);
    });
  });

  test('stays if a guard has clocked in on one of them, which the message names', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addSeries(client);
      await client.query(
        `insert into attendance (assignment_id, clock_in_at, clock_out_at)
         select id, '2027-03-03 18:00Z', '2027-03-04 06:00Z' from assignments where shift_id = $1`,
        [ids[2]],
      );
      await become(client, opsManager);
      const error = await refusal(client, () =>
        call(client, `delete_records('shifts', $1)`, [ids]),
      );
      expect(error.message).toBe(
        "Nothing was deleted: 1 of 15 rows can't be. Here, Mar 3, 6:00 PM: " +
          "A guard has clocked in on this shift, so it can't be deleted or unassigned.",
      );
      expect(JSON.parse(error.detail ?? '')).toEqual([expect.objectContaining({ id: ids[2] })]);
      expect(await timesOf(client, ids)).toHaveLength(15);
    });
  });

  test.each([
    ['a day later', 1, '03-02 18:00'],
    ['a day earlier', -1, '02-28 18:00'],
    ['a week later', 7, '03-08 18:00'],
  ])('moves %s with its guard, and back by Undo', async (_how, days, first) => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addSeries(client);
      await become(client, supervisorEverywhere);
      const before = await timesOf(client, ids);
      const moved = await call(client, 'move_shifts($1, $2)', [ids, days]);
      const after = await timesOf(client, ids);
      expect(after[0]?.start).toBe(first);
      expect(after.every(({ period }) => period)).toBe(true);
      await call(client, `restore_values('shifts', $1)`, [JSON.stringify(moved)]);
      expect(await timesOf(client, ids)).toEqual(before);
    });
  });

  test('moves to another time and site, in the zone of the site', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(`update sites set timezone = 'Africa/Lagos' where id = $1`, [
        scene.sites.elsewhere,
      ]);
      const ids = await addSeries(client);
      await become(client, opsManager);
      await call(client, `move_shifts($1, 0, '07:00', '19:30', $2)`, [ids, scene.sites.elsewhere]);
      // 07:00 in Lagos is 06:00 UTC.
      expect((await timesOf(client, ids))[0]).toEqual({
        start: '03-01 06:00',
        end: '03-01 18:30',
        period: true,
        site_id: scene.sites.elsewhere,
      });
    });
  });

  test('does not move onto another shift of its guard, and names the nights', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addSeries(client);
      const before = await timesOf(client, ids);
      await become(client, opsManager);
      const error = await refusal(client, () =>
        call(client, 'move_shifts($1, 1)', [ids.slice(0, 5)]),
      );
      expect(error.code).toBe('PT409');
      expect(error.message).toContain('bystander is already on an overlapping shift');
      expect(await timesOf(client, ids)).toEqual(before);
    });
  });

  test.each([
    ['nothing to move', [0, null, null]],
    ['null days', [null, null, null]],
    ['more than a year', [367, null, null]],
    ['a start without an end', [0, '07:00', null]],
    ['no time of day', [0, '25:00', '26:00']],
  ])('refuses %s', async (_what, values) => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addSeries(client);
      await become(client, opsManager);
      await expect(
        call(client, 'move_shifts($1, $2, $3, $4)', [ids, ...values]),
      ).rejects.toMatchObject({ code: '22023' });
    });
  });
});

describe('forgotten clock-outs', () => {
  /** Guards who clocked in yesterday and never out. @returns ids of the records */
  async function addForgotten(client: PoolClient, guards = [guardHere, bystander]) {
    await client.query('delete from attendance where clock_out_at is null');
    const ids: string[] = [];
    for (const guard of guards) {
      const { rows } = await client.query<{ id: string }>(
        `with work as (insert into shifts (site_id, start_time, end_time)
           values ($1, now() - interval '30 hours', now() - interval '18 hours') returning id),
         assigned as (insert into assignments (shift_id, user_id) select id, $2 from work returning id)
         select id from assigned`,
        [scene.sites.here, guard.id],
      );
      const record = await client.query<{ id: string }>(
        `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '30 hours') returning id`,
        [rows[0]?.id],
      );
      ids.push(...record.rows.map(({ id }) => id));
    }
    return ids;
  }

  const stateOf = async (client: PoolClient, ids: string[]) =>
    (
      await client.query(
        `select r.clock_out_at = s.end_time as at_end, r.clock_out_at, r.correction_reason, r.corrected_by,
           r.original_clock_out_at, r.early_minutes, a.status, a.attendance_state
         from attendance r join assignments a on a.id = r.assignment_id join shifts s on s.id = a.shift_id
         where r.id = any ($1) order by r.id`,
        [ids],
      )
    ).rows;

  const OUT = 'clock_out_at_shift_end($1, $2)';

  test('are closed at the end of each shift, and Undo leaves no trace on the records', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addForgotten(client);
      await become(client, supervisorHere);
      const before = await stateOf(client, ids);
      const changed = await call(client, OUT, [ids, ' Forgot to clock out ']);
      for (const row of await stateOf(client, ids)) {
        expect(row).toMatchObject({
          at_end: true,
          correction_reason: 'Forgot to clock out',
          corrected_by: supervisorHere.id,
          status: 'completed',
          attendance_state: 'out',
        });
      }
      await call(client, `restore_values('attendance', $1)`, [JSON.stringify(changed)]);
      expect(await stateOf(client, ids)).toEqual(before);
    });
  });

  test('stay open if one has just been closed, is the caller’s own, or has no reason', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = await addForgotten(client, [guardHere, bystander, supervisorHere]);
      await become(client, supervisorHere);
      const tries: [string[], string | null, string][] = [
        [ids, 'Forgot', 'supervisor of the site: This is your own attendance.'],
        [ids.slice(0, 2), ' ', 'Give a reason'],
        [ids.slice(0, 2), null, 'Give a reason'],
        [ids.slice(0, 2), 'x'.repeat(1001), 'Give a reason'],
      ];
      for (const [chosen, reason, message] of tries) {
        await client.query('savepoint refused');
        await expect(call(client, OUT, [chosen, reason])).rejects.toThrow(message);
        await client.query('rollback to savepoint refused');
      }
      await client.query(`update attendance set clock_out_at = now() where id = $1`, [ids[0]]);
      await client.query('savepoint refused');
      await expect(call(client, OUT, [ids.slice(0, 2), 'Forgot'])).rejects.toThrow(
        'guard on the site: It has been changed since',
      );
      await client.query('rollback to savepoint refused');
      await becomeOwner(client);
      expect((await stateOf(client, ids)).filter((row) => row.clock_out_at === null)).toHaveLength(
        2,
      );
    });
  });
});

test('two planners who move the same shifts take turns, and neither deadlocks', async () => {
  const ids = await rolledBack(database.owner, async (client) => {
    const added = await addSeries(client);
    await client.query('commit');
    return added;
  });
  const callers = new Callers(database.owner, () => {});
  const move = (person: typeof admin, order: string[]) =>
    callers.run(
      { role: 'authenticated', claims: JSON.stringify(person.claims) },
      { text: 'select move_shifts($1, 1)', values: [`{${order.join()}}`] },
    );
  await Promise.all([move(admin, ids), move(opsManager, ids.toReversed())]);
  const first = await rolledBack(database.owner, (client) => timesOf(client, ids));
  expect(first[0]?.start).toBe('03-03 18:00');
});
