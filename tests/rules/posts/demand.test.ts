// Shifts that follow from the requirements of posts.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  DAILY,
  DAY_AND_NIGHT,
  day,
  demandWriters,
  type Shift,
  slot,
} from '#tests/support/demand-writers.ts';
import { opsManager, supervisorHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, call, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;
const { addPost, save, shiftsOf, expand, mannedPost, assign } = demandWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  // The guards of the scene are on another shift in the coming hours, which in the evening reaches into tomorrow.
  await database.owner.query('delete from assignments where starts_at > now()');
  await database.owner.query(LENIENT_RULES);
});

describe('making shifts', () => {
  test('a requirement makes the shifts of six weeks at once, and repeating it changes nothing', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, supervisorHere);
      const post = await addPost(client);
      const saved = await save(client, post, { ...DAILY, valid_from: day(1) });
      expect(saved).toMatchObject({ made: 84, removed: 0, kept: 0 });
      const shifts = await shiftsOf(client, post);
      expect(shifts[0]).toMatchObject({ at: '1 06:00', hours: 12, is_manual: false });
      expect(shifts.at(-1)).toMatchObject({ at: '42 18:00', hours: 12 });
      expect(await expand(client)).toMatchObject({ made: 0, removed: 0, changed: 0, kept: 84 });
      expect(await shiftsOf(client, post)).toEqual(shifts);
    }));

  test('nothing is made in the past, and nothing outside the days of post and requirement', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const post = await addPost(client);
      await client.query('update posts set valid_to = $2 where id = $1', [post, day(3)]);
      await save(client, post, { ...DAILY, valid_from: day(-10), valid_to: day(20) });
      const { rows } = await client.query(
        `select bool_and(start_time > now()) as future, max(start_time at time zone 'Africa/Monrovia')::date::text as last
         from shifts where post_id = $1`,
        [post],
      );
      expect(rows[0]).toEqual({ future: true, last: day(3) });
    }));

  test('a cycle of six days goes on from its first day, also after the month', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const post = await addPost(client);
      const slots = [slot(1, 0, '06:00', 720), slot(7, 3, '22:30', 480, 2)];
      await save(client, post, { cycle_days: 6, slots, valid_from: day(-2) });
      const shifts = await shiftsOf(client, post);
      expect(shifts.slice(0, 4).map(({ at, headcount }) => [at, headcount])).toEqual([
        ['1 22:30', 2],
        ['4 06:00', 1],
        ['7 22:30', 2],
        ['10 06:00', 1],
      ]);
    }));

  test('a direct change of the table expands too', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, supervisorHere);
      const post = await addPost(client);
      await client.query(
        `insert into post_requirements (post_id, valid_from, cycle_days, slots) values ($1, $2, 1, $3)`,
        [post, day(1), JSON.stringify(DAY_AND_NIGHT)],
      );
      expect(await shiftsOf(client, post)).toHaveLength(84);
      await client.query('delete from post_requirements where post_id = $1', [post]);
      expect(await shiftsOf(client, post)).toEqual([]);
    }));

  test.each([
    // Clocks go forward at 01:00 on 27 March 2033 and back on 30 October 2033.
    ['2033-03-26', 11],
    ['2033-10-29', 13],
  ])('the night of %s at a site in another zone lasts %d hours and leaves no gap', (date, hours) =>
    rolledBack(database.owner, async (client) => {
      await client.query('alter table sites drop constraint sites_timezone_check');
      await client.query(`update sites set timezone = 'Europe/London' where id = $1`, [
        scene.sites.here,
      ]);
      await become(client, opsManager);
      const post = await addPost(client);
      await save(client, post, { ...DAILY, valid_from: date, valid_to: date });
      const { rows: days } = await client.query('select $1::date + 1 as next', [date]);
      await call(client, 'expand_demand($1, $2, $3)', [date, days[0].next, [scene.sites.here]]);
      const { rows } = await client.query(
        `select to_char(start_time at time zone 'Europe/London', 'HH24:MI') as start,
           to_char(end_time at time zone 'Europe/London', 'HH24:MI') as end,
           extract(epoch from end_time - start_time)::int / 3600 as hours
         from shifts where post_id = $1 order by start_time`,
        [post],
      );
      expect(rows).toEqual([
        { start: '06:00', end: '18:00', hours: 12 },
        { start: '18:00', end: '06:00', hours },
      ]);
    }),
  );
});

describe('manual changes stay', () => {
  let client: PoolClient;
  let post: string;
  let shifts: Shift[];

  beforeEach(async () => {
    client = await database.owner.connect();
    await client.query('begin');
    await become(client, opsManager);
    ({ post, shifts } = await mannedPost(client));
    return async () => {
      await client.query('rollback');
      client.release();
    };
  });

  const clear = () => save(client, post, null, day(1));

  test.each([
    ['other headcount', 'required_headcount = 3'],
    ['longer', `end_time = end_time + interval '1 hour'`],
    ['later', `start_time = start_time + interval '1 hour'`],
  ])('a shift that a planner made %s', async (_, change) => {
    const changed = shifts[10];
    await client.query(`update shifts set ${change} where id = $1`, [changed?.id]);
    const [kept] = await client
      .query('select * from shifts where id = $1', [changed?.id])
      .then(({ rows }) => rows);
    expect(kept.is_manual).toBe(true);
    // Neither the old time is filled again, nor is the shift changed back.
    expect(await expand(client)).toMatchObject({ made: 0, removed: 0, changed: 0 });
    expect(await clear()).toMatchObject({ removed: 83, protected: 1 });
    expect((await shiftsOf(client, post)).map(({ id }) => id)).toEqual([changed?.id]);
  });

  test('a note is no change of the demand', async () => {
    await client.query(`update shifts set notes = 'Keys at the desk' where id = $1`, [
      shifts[3]?.id,
    ]);
    expect((await shiftsOf(client, post)).every(({ is_manual }) => !is_manual)).toBe(true);
  });

  test('a shift with a clock-in', async () => {
    const [first] = shifts;
    await assign(client, first?.id);
    await becomeOwner(client);
    await client.query(`update assignments set attendance_state = 'in' where shift_id = $1`, [
      first?.id,
    ]);
    await become(client, opsManager);
    expect(await clear()).toMatchObject({ removed: 83, protected: 1 });
    expect((await shiftsOf(client, post)).map(({ id }) => id)).toEqual([first?.id]);
  });

  test('a deleted shift is not made again, until it is restored', async () => {
    const [deleted] = shifts;
    const { rows } = await client.query('delete from shifts where id = $1 returning *', [
      deleted?.id,
    ]);
    expect(await expand(client)).toMatchObject({ made: 0, kept: 83 });
    await client.query('insert into shifts select * from jsonb_populate_record(null::shifts, $1)', [
      JSON.stringify(rows[0]),
    ]);
    expect(await expand(client)).toMatchObject({ made: 0, kept: 84 });
    expect(await clear()).toMatchObject({ removed: 84 });
  });

  test('shifts made by hand at the post are nobody’s demand', async () => {
    await client.query(
      `insert into shifts (site_id, post_id, start_time, end_time)
       select site_id, post_id, start_time, end_time from shifts where id = $1`,
      [shifts[0]?.id],
    );
    expect(await clear()).toMatchObject({ removed: 84, protected: 0 });
    expect(await shiftsOf(client, post)).toMatchObject([{ is_manual: true }]);
  });

  test('a shift that moves to another site leaves its post', async () => {
    await client.query('update shifts set site_id = $2 where id = $1', [
      shifts[5]?.id,
      scene.sites.elsewhere,
    ]);
    const { rows } = await client.query(
      'select post_id, requirement_id from shifts where id = $1',
      [shifts[5]?.id],
    );
    expect(rows).toEqual([{ post_id: null, requirement_id: null }]);
    expect(await expand(client)).toMatchObject({ made: 0, kept: 83 });
  });

  test('a post of another site is refused', async () => {
    const error = await refusal(client, () =>
      client.query(
        `insert into shifts (site_id, post_id, start_time, end_time)
         select $2, post_id, start_time, end_time from shifts where id = $1`,
        [shifts[0]?.id, scene.sites.elsewhere],
      ),
    );
    expect(error.message).toBe('This post is not at the site of the shift.');
  });
});
