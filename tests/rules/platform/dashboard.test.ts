import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  opsManager,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

describe('dashboard_figures', () => {
  test('counts what the dashboard shows, and only the supervisor’s site', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(`delete from attendance; delete from assignments; delete from shifts; update incidents set status = 'closed';
        delete from certifications; update staff set status = 'inactive'`);
      const shift = async (site: string, from: string, to: string) =>
        (
          await client.query<{ id: string }>(
            `insert into shifts (site_id, start_time, end_time) values ($1, ${from}, ${to}) returning id`,
            [site],
          )
        ).rows[0]?.id;
      const midnight = `date_trunc('day', now() at time zone 'Africa/Monrovia') at time zone 'Africa/Monrovia'`;
      await shift(scene.sites.here, midnight, `${midnight} + interval '8 hours'`);
      await shift(
        scene.sites.elsewhere,
        `${midnight} + interval '1 day' - interval '1 second'`,
        `${midnight} + interval '2 days'`,
      );
      await shift(
        scene.sites.here,
        `${midnight} + interval '1 day'`,
        `${midnight} + interval '2 days'`,
      );
      await shift(
        scene.sites.here,
        `${midnight} - interval '1 second'`,
        `${midnight} + interval '1 hour'`,
      );

      // In the past: no clock-in, no clock-out, complete, cancelled.
      const guards = [guardHere, guardElsewhere, bystander, newcomer];
      const past = await shift(
        scene.sites.here,
        `now() - interval '20 days'`,
        `now() - interval '19 days 12 hours'`,
      );
      const assignments = await client.query<{ id: string }>(
        'insert into assignments (shift_id, user_id) select $1, unnest($2::uuid[]) returning id',
        [past, guards.map(({ id }) => id)],
      );
      const [, open, orderly, cancelled] = assignments.rows.map(({ id }) => id);
      await client.query(`update assignments set status = 'cancelled' where id = $1`, [cancelled]);
      await client.query(
        `insert into attendance (assignment_id, clock_in_at, clock_out_at) values
           ($1, now() - interval '20 days', null), ($2, now() - interval '20 days', now() - interval '19 days 12 hours')`,
        [open, orderly],
      );
      // Running now: one guard is in, one hasn't come.
      const going = await shift(
        scene.sites.elsewhere,
        `now() - interval '1 minute'`,
        `now() + interval '7 hours'`,
      );
      const [present] = (
        await client.query<{ id: string }>(
          'insert into assignments (shift_id, user_id) values ($1, $2), ($1, $3) returning id',
          [going, guardHere.id, bystander.id],
        )
      ).rows;
      await client.query('insert into attendance (assignment_id) values ($1)', [present?.id]);

      const states = ['open', 'investigating', 'resolved', 'closed'];
      await client.query(
        `update incidents set status = s.status from (
           select id, ($1::text[])[row_number() over (order by id)] as status from incidents where site_id = $2
         ) s where s.id = incidents.id and s.status is not null`,
        [states, scene.sites.here],
      );
      await client.query(
        `insert into certifications (user_id, course_id, expires_at) values
           ($1, $2, now() + interval '29 days'), ($1, $2, now() + interval '31 days'), ($1, $2, now() - interval '1 day')`,
        [guardHere.id, scene.courseId],
      );
      await client.query(`update staff set status = 'active' where user_id = any ($1)`, [
        guards.map(({ id }) => id),
      ]);

      const figures = async () => (await client.query('select * from dashboard_figures()')).rows[0];
      const isNearMidnight = (
        await client.query<{ yes: boolean }>(
          `select now() - interval '1 minute' < ${midnight} as yes`,
        )
      ).rows[0]?.yes;
      await become(client, opsManager);
      expect(await figures()).toEqual({
        todays_shifts: isNearMidnight ? 2 : 3,
        active_incidents: 2,
        attendance_issues: 3,
        expiring_certifications: 1,
        active_staff: 4,
        active_sites: 4,
      });
      await become(client, supervisorElsewhere);
      expect(await figures()).toMatchObject({
        active_incidents: 0,
        attendance_issues: 1,
        active_sites: 1,
      });
    });
  });

  test.each([[guardHere], [dispatcher], [hr], [newcomer]])(
    'is refused to $name',
    async (person) => {
      await expect(
        asPerson(database.owner, person, 'select * from dashboard_figures()'),
      ).rejects.toMatchObject({ code: REFUSED });
    },
  );
});
