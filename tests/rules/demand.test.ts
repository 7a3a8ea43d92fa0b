// Shifts that follow from the requirements of posts.
import type { PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  dispatcher,
  guardElsewhere,
  guardHere,
  opsManager,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { buildScene, LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import {
  attempt,
  become,
  becomeOwner,
  call,
  REFUSED,
  refusal,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
  // The guards of the scene are on another shift in the coming hours, which in the evening reaches into tomorrow.
  await database.owner.query('delete from assignments where starts_at > now()');
  await database.owner.query(LENIENT_RULES);
});

interface Outcome {
  made: number;
  changed: number;
  kept: number;
  removed: number;
  protected: number;
  guards: number;
  removed_shifts: { start_time: string; guards: string[] }[];
}

interface Shift {
  id: string;
  /** At the site: "3 18:00" is three days from now. */
  at: string;
  hours: number;
  headcount: number;
  is_manual: boolean;
}

const slot = (number: number, day: number, start: string, minutes: number, headcount = 1) => ({
  slot: number,
  day,
  start,
  minutes,
  headcount,
});
const DAY_AND_NIGHT = [slot(1, 0, '06:00', 720), slot(2, 0, '18:00', 720)];
const DAILY = { cycle_days: 1, slots: DAY_AND_NIGHT };

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function addPost(client: PoolClient, site = scene.sites.here): Promise<string> {
  const { rows } = await client.query(
    `insert into posts (site_id, name, valid_from) values ($1, 'Main gate', '2020-01-01') returning id`,
    [site],
  );
  return rows[0].id;
}

const save = (client: PoolClient, post: string, requirement: object | null, from?: string) =>
  call<Outcome>(client, 'save_requirement($1, $2, $3)', [
    post,
    requirement && JSON.stringify(requirement),
    from,
  ]);
const preview = (client: PoolClient, post: string, requirement: object | null, from?: string) =>
  call<Outcome>(client, 'preview_requirement($1, $2, $3)', [
    post,
    requirement && JSON.stringify(requirement),
    from,
  ]);

async function shiftsOf(client: PoolClient, post: string): Promise<Shift[]> {
  const { rows } = await client.query<Shift>(
    `select s.id, (s.start_time at time zone t.timezone)::date - private.company_date()
        || to_char(s.start_time at time zone t.timezone, ' HH24:MI') as at,
      extract(epoch from s.end_time - s.start_time)::float / 3600 as hours, s.required_headcount as headcount, s.is_manual
     from shifts s join sites t on t.id = s.site_id where s.post_id = $1 order by s.start_time, s.slot`,
    [post],
  );
  return rows;
}

const expand = (client: PoolClient, sites: string[] | null = [scene.sites.here]) =>
  call<Outcome>(client, 'expand_demand($1, $2, $3)', [day(0), day(42), sites]);

/** A post that is manned from tomorrow on, day and night, and its shifts. */
async function mannedPost(client: PoolClient) {
  const post = await addPost(client);
  await save(client, post, { ...DAILY, valid_from: day(1) });
  const shifts = await shiftsOf(client, post);
  return { post, shifts };
}

const assign = async (client: PoolClient, shift: string | undefined, guard = guardElsewhere.id) => {
  await client.query('insert into assignments (shift_id, user_id) values ($1, $2)', [shift, guard]);
};

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
    // Clocks go forward at 01:00 on 28 March 2027 and back on 31 October 2027.
    ['2027-03-27', 11],
    ['2027-10-30', 13],
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

describe('what people have done by hand stays', () => {
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

  test('a shift that somebody has clocked in on', async () => {
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

describe('changing a requirement', () => {
  test('from a day on: the old one ends the day before, and shifts with the same times keep their guards', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const { post, shifts } = await mannedPost(client);
      // Night of day 10 stays, day of day 11 goes: days become two slots of 6 hours.
      const night = shifts.find(({ at }) => at === '10 18:00');
      const noon = shifts.find(({ at }) => at === '11 06:00');
      await assign(client, night?.id);
      await assign(client, noon?.id, guardHere.id);
      const change = {
        cycle_days: 1,
        slots: [slot(1, 0, '06:00', 360), slot(2, 0, '12:00', 360), slot(3, 0, '18:00', 720, 2)],
        valid_from: day(8),
      };
      const told = await preview(client, post, change);
      expect(await shiftsOf(client, post)).toEqual(shifts);
      expect(told).toMatchObject({ made: 70, removed: 35, changed: 35, guards: 1 });
      expect(told.removed_shifts[0]).toMatchObject({ guards: [guardHere.name] });
      expect(await save(client, post, change)).toEqual(told);
      const { rows } = await client.query(
        `select valid_from::text, valid_to::text from post_requirements where post_id = $1 order by 1`,
        [post],
      );
      expect(rows).toEqual([
        { valid_from: day(1), valid_to: day(7) },
        { valid_from: day(8), valid_to: null },
      ]);
      const after = await shiftsOf(client, post);
      expect(after.find(({ id }) => id === night?.id)).toMatchObject({ headcount: 2 });
      expect(after).toHaveLength(84 + 35);
      await becomeOwner(client);
      const { rows: notices } = await client.query(
        `select title from notices where user_id = $1 and kind = 'roster' order by created_at desc`,
        [guardHere.id],
      );
      expect(notices).toContainEqual({ title: 'A shift of yours was removed' });
    }));

  test('for some days: the old one goes on afterwards, at the same point of its cycle', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const post = await addPost(client);
      const slots = [slot(1, 0, '06:00', 720), slot(2, 2, '18:00', 720)];
      await save(client, post, { cycle_days: 4, slots, valid_from: day(1) });
      const before = await shiftsOf(client, post);
      const event = { cycle_days: 1, slots: [slot(1, 0, '09:00', 480, 4)], preset: 'one_off' };
      await save(client, post, { ...event, valid_from: day(6), valid_to: day(7) });
      const isDuring = ({ at }: Shift) => /^[67] /.test(at);
      const after = await shiftsOf(client, post);
      expect(after.filter(isDuring).map(({ at }) => at)).toEqual(['6 09:00', '7 09:00']);
      expect(after.filter((shift) => !isDuring(shift))).toEqual(
        before.filter((shift) => !isDuring(shift)),
      );
      const { rows } = await client.query('select 1 from post_requirements where post_id = $1', [
        post,
      ]);
      expect(rows).toHaveLength(3);
    }));

  test('on the same first day: it is replaced', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const { post } = await mannedPost(client);
      const nights = { cycle_days: 1, slots: [slot(2, 0, '18:00', 720)], valid_from: day(1) };
      expect(await save(client, post, nights)).toMatchObject({ removed: 42, kept: 42, made: 0 });
      const { rows } = await client.query('select 1 from post_requirements where post_id = $1', [
        post,
      ]);
      expect(rows).toHaveLength(1);
    }));

  test('removing a post removes its future shifts and says which', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, supervisorHere);
      const { post, shifts } = await mannedPost(client);
      await assign(client, shifts[0]?.id);
      const told = await call<Outcome>(client, 'remove_post($1, true)', [post]);
      expect(told).toMatchObject({ removed: 84, guards: 1 });
      expect(await shiftsOf(client, post)).toHaveLength(84);
      expect(await call(client, 'remove_post($1)', [post])).toEqual(told);
      const { rows } = await client.query(
        `select (select count(*)::int from shifts where slot is not null and start_time > now()) as shifts,
           (select count(*)::int from posts where id = $1) as posts`,
        [post],
      );
      expect(rows).toEqual([{ shifts: 0, posts: 0 }]);
    }));

  test('a post is saved with its certificates and its requirement at once', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, supervisorHere);
      const form = { site_id: scene.sites.here, name: 'Control room', headcount: 2 };
      const requirement = JSON.stringify({ ...DAILY, valid_from: day(1) });
      const saved = await call<Outcome & { post_id: string }>(client, 'save_post($1, $2, $3)', [
        JSON.stringify(form),
        [scene.courseId],
        requirement,
      ]);
      expect(saved).toMatchObject({ made: 84 });
      const ended = { ...form, id: saved.post_id, valid_to: day(10) };
      const told = await call<Outcome>(client, 'save_post($1, $2, null, true)', [
        JSON.stringify(ended),
        [],
      ]);
      expect(told).toMatchObject({ removed: 64, kept: 20 });
      const { rows } = await client.query(
        `select p.valid_to, count(c.id)::int as courses from posts p left join post_courses c on c.post_id = p.id
         where p.id = $1 group by p.id`,
        [saved.post_id],
      );
      expect(rows).toEqual([{ valid_to: null, courses: 1 }]);
    }));
});

describe('who may', () => {
  test.each([
    ['a dispatcher', dispatcher],
    ['a supervisor of another site', supervisorElsewhere],
    ['a guard', guardHere],
  ])('%s can’t change or preview demand', (_, person) =>
    rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const { post } = await mannedPost(client);
      for (const work of [save, preview]) {
        await become(client, person);
        const code = await attempt(client, () => work(client, post, null, day(1)));
        expect([REFUSED, 'PT404']).toContain(code);
      }
      await become(client, opsManager);
      expect(await shiftsOf(client, post)).toHaveLength(84);
    }),
  );

  test('supervisors expand their own sites, guards none', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, supervisorHere);
      expect(await expand(client)).toMatchObject({ made: 0 });
      expect(await expand(client, null)).toMatchObject({ made: 0 });
      for (const [person, sites] of [
        [supervisorHere, [scene.sites.elsewhere]],
        [guardHere, null],
        [guardHere, [scene.sites.here]],
      ] as const) {
        await become(client, person);
        expect(await attempt(client, () => expand(client, sites && [...sites]))).toBe(REFUSED);
      }
    }));

  test.each([
    ['no days', null, null],
    ['the wrong order', '2027-01-02', '2027-01-01'],
    ['two years', '2027-01-01', '2029-01-01'],
    ['no end', '2027-01-01', 'infinity'],
  ])('%s: refused', (_, from, to) =>
    rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const code = await attempt(client, () =>
        call(client, 'expand_demand($1, $2, null)', [from, to]),
      );
      expect(code).toBe('22023');
    }),
  );
});

test('two processes that expand at once make every shift once', async () => {
  const setUp = await database.owner.connect();
  const post = await addPost(setUp);
  // As the nightly job of a new day would find it.
  await setUp.query(`set roster.expansion = 'held'`);
  await setUp.query(
    `insert into post_requirements (post_id, valid_from, cycle_days, slots) values ($1, $2, 1, $3)`,
    [post, day(1), JSON.stringify(DAY_AND_NIGHT)],
  );
  await setUp.query('reset roster.expansion');
  setUp.release();
  const clients = await Promise.all([1, 2, 3].map(() => database.owner.connect()));
  const made = await Promise.all(clients.map(async (client) => (await expand(client)).made));
  for (const client of clients) client.release();
  expect(made.toSorted((a, b) => a - b)).toEqual([0, 0, 84]);
  const { rows } = await database.owner.query(
    `select count(*)::int as shifts, count(distinct (slot, start_time))::int as different from shifts where post_id = $1`,
    [post],
  );
  expect(rows).toEqual([{ shifts: 84, different: 84 }]);
});
