// Requirements that change, who may change them, and processes that expand demand at once.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  DAILY,
  DAY_AND_NIGHT,
  day,
  demandWriters,
  type Outcome,
  type Shift,
  slot,
} from '#tests/support/demand-writers.ts';
import {
  dispatcher,
  guardHere,
  opsManager,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, call, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;
const { addPost, save, shiftsOf, expand, mannedPost, assign } = demandWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  // The guards of the scene are on another shift in the coming hours, which in the evening reaches into tomorrow.
  await database.owner.query('delete from assignments where starts_at > now()');
  await database.owner.query(LENIENT_RULES);
});

const preview = (client: PoolClient, post: string, requirement: object) =>
  call<Outcome>(client, 'save_post($1, $2, $3, true)', [
    JSON.stringify({ id: post, name: 'Main gate', valid_from: '2020-01-01' }),
    [],
    JSON.stringify(requirement),
  ]);

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
      expect({ ...(await save(client, post, change)), post_id: post }).toEqual(told);
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
      for (const work of [
        () => save(client, post, null, day(1)),
        () => preview(client, post, { ...DAILY, valid_from: day(1) }),
      ]) {
        await become(client, person);
        const code = await attempt(client, work);
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
