// Two processes that prepare the coming weeks at once, at start and at night.
import { freshDatabase } from 'supabase-in-node/testing/database';
import { expect, test } from 'vitest';
import { prepareRoster } from '#server/roster/nightly.ts';
import { secondServer, testServer } from '#tests/support/server.ts';

const SLOTS = JSON.stringify([
  { slot: 1, day: 0, start: '06:00', minutes: 720, headcount: 1 },
  { slot: 2, day: 0, start: '18:00', minutes: 720, headcount: 1 },
]);

async function addPost(owner: Awaited<ReturnType<typeof freshDatabase>>['owner']) {
  await owner.query(`
    with site as (
      insert into public.sites (name, client_name, address) values ('Gate', 'Client', 'Monrovia') returning id
    ),
    post as (
      insert into public.posts (site_id, name, valid_from) select id, 'Gate', '2020-01-01' from site returning id
    )
    insert into public.post_requirements (post_id, site_id, valid_from, cycle_days, slots)
    select id, (select id from site), '2020-01-01', 1, '${SLOTS}' from post`);
}

test('shifts and holidays are there after the start, once, although two processes start', async () => {
  const server = await testServer();
  await addPost(server.database.owner);
  // As after a night without a running process.
  await server.database.owner.query(`delete from public.shifts`);
  await server.database.owner.query(`delete from private.skipped_slots`);
  await Promise.all([secondServer(server), secondServer(server)]);
  await expect
    .poll(async () => {
      const { rows } = await server.database.owner.query(
        `select count(*)::int as shifts, count(distinct (slot, start_time))::int as different from public.shifts`,
      );
      return rows[0];
    })
    .toSatisfy(({ shifts, different }) => shifts >= 84 && shifts === different);
  const { rows } = await server.database.owner.query(
    `select count(distinct extract(year from day))::int as years, count(*) > 30 as enough from public.public_holidays`,
  );
  expect(rows).toEqual([{ years: 3, enough: true }]);
});

test('of several processes at once one prepares the roster', async () => {
  const { owner } = await freshDatabase();
  await addPost(owner);
  const blocker = await owner.connect();
  await blocker.query('begin');
  await blocker.query(`select pg_advisory_xact_lock(hashtextextended('nightly roster', 0))`);
  expect(await prepareRoster(owner, new Date())).toBe(false);
  await blocker.query('commit');
  blocker.release();
  expect(await prepareRoster(owner, new Date())).toBe(true);
  const before = await owner.query('select id from public.shifts order by id');
  expect(await prepareRoster(owner, new Date())).toBe(true);
  expect((await owner.query('select id from public.shifts order by id')).rows).toEqual(before.rows);
});

test('a process that is being stopped leaves the sites that it has not begun to the next start', async () => {
  const { owner } = await freshDatabase();
  await addPost(owner);
  await owner.query('delete from public.shifts');
  await owner.query('delete from private.skipped_slots');
  const count = async () => (await owner.query('select from public.shifts')).rowCount;
  expect(await prepareRoster(owner, new Date(), { isStopped: true })).toBe(false);
  expect(await count()).toBe(0);
  expect(await prepareRoster(owner, new Date())).toBe(true);
  expect(await count()).toBeGreaterThan(80);
});
