// The report of the control room: one a day, to those who want it, with what happened in 24 hours.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, guardHere, opsManager, type Person } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`
    delete from alerts; delete from offers;
    delete from attendance; delete from clock_events; delete from assignments; delete from shifts`);
});

/** A zone in which it is a few hours after 6 AM now, whatever the time of the test. */
const MORNING = `update private.settings set time_zone = (
  select name from pg_timezone_names
  where name like 'Etc/GMT%' and extract(hour from now() at time zone name) = 8 limit 1)`;
const NIGHT = MORNING.replace('= 8', '= 5');

const queue = async (client: PoolClient): Promise<number> => {
  const { rows } = await client.query('select private.queue_daily_report() as mails');
  return rows[0].mails;
};

const recipients = async (client: PoolClient): Promise<string[]> => {
  const { rows } = await client.query('select distinct user_id from private.daily_report_mails');
  return rows.map(({ user_id }) => user_id);
};

test('is queued once after 6 AM, for admins and managers who have not turned it off', () =>
  rolledBack(database.owner, async (client) => {
    await client.query(`insert into private.daily_reports (day) values ('2026-01-01')`);
    await client.query(NIGHT);
    expect(await queue(client)).toBe(0);
    await client.query(MORNING);
    await become(client, opsManager);
    await client.query('select save_notice_options(true, true, false, false)');
    // No mail for each notice; the report comes all the same.
    await become(client, admin);
    await client.query('select save_notice_options(true, false, false)');
    await becomeOwner(client);
    expect(await queue(client)).toBeGreaterThan(0);
    expect(await queue(client)).toBe(0);
    const told = await recipients(client);
    expect(told).toContain(admin.id);
    expect(told).not.toContain(opsManager.id);
    expect(told).not.toContain(guardHere.id);
  }));

test.each([
  ['disabled', `update auth.users set banned_until = now() + interval '1 day' where id = $1`],
  ['without a role', 'delete from user_roles where user_id = $1'],
])('is not queued for an account that is %s', (_state, sql) =>
  rolledBack(database.owner, async (client) => {
    await client.query(`insert into private.daily_reports (day) values ('2026-01-01')`);
    await client.query(MORNING);
    await client.query(sql, [opsManager.id]);
    await queue(client);
    const told = await recipients(client);
    expect(told).toContain(admin.id);
    expect(told).not.toContain(opsManager.id);
  }),
);

test('is a choice of those who get it alone', () =>
  rolledBack(database.owner, async (client) => {
    const choiceOf = async (person: Person) => {
      await become(client, person);
      const { rows } = await client.query('select daily_report from notice_options()');
      return rows[0].daily_report;
    };
    expect(await choiceOf(guardHere)).toBeNull();
    expect(await choiceOf(opsManager)).toBe(true);
    await client.query('select save_notice_options(true, true, false, false)');
    await client.query('select save_notice_options(true, true, true)');
    expect(await choiceOf(opsManager)).toBe(false);
  }));

test('is not sent on the first day of a database', () =>
  rolledBack(database.owner, async (client) => {
    await client.query(MORNING);
    expect(await queue(client)).toBe(0);
    expect(await recipients(client)).toEqual([]);
  }));

test('counts planned and actual coverage, incidents, and the minutes of alerts in the period', () =>
  rolledBack(database.owner, async (client) => {
    await client.query(`delete from incidents`);
    await client.query(
      `with shift as (
         insert into shifts (site_id, start_time, end_time, required_headcount)
         values ($1, now() - interval '20 hours', now() - interval '12 hours', 2),
           ($1, now() - interval '30 hours', now() - interval '26 hours', 5)
         returning id, required_headcount
       ),
       work as (
         insert into assignments (shift_id, user_id)
         select id, $2 from shift where required_headcount = 2 returning id
       )
       insert into attendance (assignment_id, clock_in_at, clock_out_at)
       select id, now() - interval '19 hours', now() - interval '12 hours' from work`,
      [scene.sites.here, guardHere.id],
    );
    await client.query(
      `insert into alerts (cause, kind, site_id, raised_at, acknowledged_at, closed_at, outcome)
       values ('a', 'empty', $1, now() - interval '20 hours', now() - interval '1197.5 minutes',
           now() - interval '19 hours', 'covered'),
         ('b', 'sos', $1, now() - interval '25 hours', null, null, null)`,
      [scene.sites.here],
    );
    const { rows } = await client.query(
      `select private.report_facts(now() - interval '24 hours', now()) as facts`,
    );
    expect(rows[0].facts).toMatchObject({
      shifts: 1,
      seats: 2,
      assigned: 1,
      attended: 1,
      late: 1,
      incidents: [],
      alerts: [
        { title: 'Post empty', outcome: 'covered', acknowledged_after: 2, closed_after: 60 },
      ],
    });
  }));
