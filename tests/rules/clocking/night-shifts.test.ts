import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere as guard } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from attendance; delete from assignments');
  await database.owner.query(LENIENT_RULES);
});

/** SQL times, so that "yesterday" is the company's day whenever the test runs. */
const YESTERDAY_18 = `(date_trunc('day', now() at time zone 'Africa/Monrovia') - interval '6 hours') at time zone 'Africa/Monrovia'`;
/** 06:00 today, or now when the test runs later. */
const THIS_MORNING = `greatest(${YESTERDAY_18} + interval '12 hours', now() + interval '30 minutes')`;

async function assign(client: PoolClient, from: string, to: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `with shift as (
       insert into shifts (site_id, start_time, end_time) values ($1, ${from}, ${to}) returning id
     )
     insert into assignments (shift_id, user_id, override_reason) select id, $2, 'Flood' from shift returning id`,
    [scene.sites.here, guard.id],
  );
  return rows[0]?.id ?? '';
}

async function attended(
  client: PoolClient,
  assignment: string,
  from: string,
  to = 'null',
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into attendance (assignment_id, clock_in_at, clock_out_at) values ($1, ${from}, ${to}) returning id`,
    [assignment],
  );
  return rows[0]?.id ?? '';
}

interface Current {
  assignment_id: string;
  attendance_id: string | null;
  may_clock_in: boolean;
}

async function current(client: PoolClient): Promise<Current | undefined> {
  const { rows } = await client.query<Current>(
    'select assignment_id, attendance_id, may_clock_in from my_current_shift()',
  );
  return rows[0];
}

test('a guard on 18:00 to 06:00 clocks out the next morning against last night’s record', async () => {
  await rolledBack(database.owner, async (client) => {
    const night = await assign(client, YESTERDAY_18, THIS_MORNING);
    const record = await attended(client, night, YESTERDAY_18);
    const tonight = await assign(
      client,
      `${THIS_MORNING} + interval '1 hour'`,
      `${THIS_MORNING} + interval '13 hours'`,
    );
    await become(client, guard);
    expect(await current(client)).toEqual({
      assignment_id: night,
      attendance_id: record,
      may_clock_in: false,
    });
    await client.query(
      `update attendance set clock_out_at = now(), clock_out_gps = '6.3000,-10.8000' where id = $1`,
      [record],
    );
    const { rows } = await client.query(
      'select assignment_id from attendance where clock_out_at is not null',
    );
    expect(rows).toEqual([{ assignment_id: night }]);
    expect(await current(client)).toMatchObject({ assignment_id: tonight, attendance_id: null });
  });
});

test('a guard who arrives after midnight is on yesterday’s shift', async () => {
  await rolledBack(database.owner, async (client) => {
    const night = await assign(client, YESTERDAY_18, THIS_MORNING);
    await assign(
      client,
      `${THIS_MORNING} + interval '1 hour'`,
      `${THIS_MORNING} + interval '9 hours'`,
    );
    await become(client, guard);
    expect(await current(client)).toEqual({
      assignment_id: night,
      attendance_id: null,
      may_clock_in: true,
    });
  });
});

test('on a double shift, the second one follows the clock-out of the first', async () => {
  await rolledBack(database.owner, async (client) => {
    const first = await assign(client, `now() - interval '9 hours'`, `now() - interval '1 hour'`);
    await attended(client, first, `now() - interval '9 hours'`, `now() - interval '1 hour'`);
    const second = await assign(client, `now() - interval '1 hour'`, `now() + interval '7 hours'`);
    await become(client, guard);
    expect(await current(client)).toEqual({
      assignment_id: second,
      attendance_id: null,
      may_clock_in: true,
    });
  });
});

test('a forgotten clock-out comes first, and a clock-in elsewhere names it', async () => {
  await rolledBack(database.owner, async (client) => {
    const forgotten = await assign(
      client,
      `now() - interval '40 hours'`,
      `now() - interval '32 hours'`,
    );
    const record = await attended(client, forgotten, `now() - interval '40 hours'`);
    const today = await assign(client, `now() - interval '1 hour'`, `now() + interval '7 hours'`);
    await become(client, guard);
    expect(await current(client)).toEqual({
      assignment_id: forgotten,
      attendance_id: record,
      may_clock_in: false,
    });
    await expect(
      client.query(
        `insert into attendance (assignment_id, clock_in_gps) values ($1, '6.3000,-10.8000')`,
        [today],
      ),
    ).rejects.toThrow('You are already clocked in.');
  });
});

test('without a shift now or later today, no shift is offered', async () => {
  await rolledBack(database.owner, async (client) => {
    await assign(client, `now() + interval '30 hours'`, `now() + interval '38 hours'`);
    await assign(client, `now() - interval '30 hours'`, `now() - interval '22 hours'`);
    await become(client, guard);
    expect(await current(client)).toBeUndefined();
  });
});
