import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  opsManager,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

describe('assigning guards', () => {
  const availability = `select full_name, conflict, warnings from guard_availability($1, now() + interval '50 days', now() + interval '50 days 8 hours')`;

  test('reports who is busy, and warns of leave, expired certificates and short rest', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from certifications');
      const shift = async (from: string, to: string) =>
        (
          await client.query<{ id: string }>(
            `insert into shifts (site_id, start_time, end_time) values ($1, now() + interval '50 days' + $2::interval, now() + interval '50 days' + $3::interval) returning id`,
            [scene.sites.elsewhere, from, to],
          )
        ).rows[0]?.id;
      const assign = async (user: string, shiftId: string | undefined) =>
        client.query('insert into assignments (shift_id, user_id) values ($1, $2)', [
          shiftId,
          user,
        ]);
      await assign(guardHere.id, await shift('7 hours', '15 hours'));
      await assign(guardElsewhere.id, await shift('-15 hours', '-7 hours'));
      await client.query(
        `update leave_requests set status = 'approved', start_date = (now() + interval '49 days')::date, end_date = (now() + interval '51 days')::date
         where user_id = $1`,
        [bystander.id],
      );
      await client.query(
        `insert into certifications (user_id, course_id, expires_at) select $1, id, now() + interval '49 days' from training_courses`,
        [bystander.id],
      );
      await become(client, dispatcher);
      const { rows } = await client.query(availability, [scene.sites.here]);
      expect(rows).toEqual([
        { full_name: 'approved guard', conflict: null, warnings: [] },
        {
          full_name: 'bystander',
          conflict: null,
          warnings: ['On approved leave', 'A certification will have expired'],
        },
        { full_name: 'guard elsewhere', conflict: null, warnings: [`Less than 8 hours' rest`] },
        {
          full_name: 'guard on the site',
          conflict: expect.stringMatching(/^Already on a shift, .+ to .+$/),
          warnings: [],
        },
      ]);
    });
  });

  test('a renewed certificate gives no warning', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `insert into certifications (user_id, course_id, expires_at) select id, $1, now() + interval '1 year' from profiles`,
        [scene.courseId],
      );
      await become(client, dispatcher);
      const { rows } = await client.query<{ warnings: string[] }>(availability, [scene.sites.here]);
      expect(rows.flatMap(({ warnings }) => warnings)).toEqual([]);
    });
  });

  test('is only for planners of the site', async () => {
    const values = [scene.sites.here];
    await expect(
      asPerson(database.owner, supervisorElsewhere, availability, values),
    ).rejects.toMatchObject({ code: REFUSED });
    await expect(asPerson(database.owner, guardHere, availability, values)).rejects.toMatchObject({
      code: REFUSED,
    });
    expect(await asPerson(database.owner, supervisorHere, availability, values)).toHaveLength(4);
    for (const person of [supervisorElsewhere, guardHere]) {
      const shift = scene.rows.shifts.find((row) => row.assigned?.includes(guardHere.id))?.id;
      const error = await rolledBack(database.owner, async (client) => {
        await become(client, person);
        return attempt(client, () =>
          client.query('select assign_guards($1, $2)', [shift, [guardElsewhere.id]]),
        );
      });
      expect([REFUSED, 'PT404']).toContain(error);
    }
  });

  test('tells each guard once who was added or removed, in one message', async () => {
    await rolledBack(database.owner, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into shifts (site_id, start_time, end_time) values
           ($1, '2035-01-02 18:00Z', '2035-01-03 06:00Z'), ($1, now() - interval '40 days', now() - interval '39.5 days')
         returning id`,
        [scene.sites.here],
      );
      const [shift, past] = rows.map(({ id }) => id);
      await client.query(`update sites set name = 'Freeport' where id = $1`, [scene.sites.here]);
      await client.query('delete from notices; delete from private.notice_deliveries');
      await become(client, dispatcher);
      const set = (id: string | undefined, add: string[], remove: string[]) =>
        client.query('select assign_guards($1, $2, $3)', [id, add, remove]);
      await set(shift, [guardHere.id, bystander.id], []);
      // Nothing changes for them.
      await set(shift, [guardHere.id, bystander.id], [guardElsewhere.id]);
      await set(shift, [], [bystander.id]);
      await set(past, [guardHere.id], []);
      await becomeOwner(client);
      const told = await client.query(
        'select user_id, title, body, link from notices order by created_at, title, user_id',
      );
      const body = 'Freeport, Tue, Jan 2, 6:00 PM to 6:00 AM';
      const of = (user: string, title: string) => ({
        user_id: user,
        title,
        body,
        link: '/staff/shifts',
      });
      expect(told.rows).toHaveLength(3);
      expect(told.rows).toEqual(
        expect.arrayContaining([
          of(guardHere.id, 'New shift'),
          of(bystander.id, 'New shift'),
          of(bystander.id, 'Shift removed'),
        ]),
      );
      const messages = await client.query(
        `select user_id, cardinality(notice_ids) as notices from private.notice_deliveries
         where channel = 'email' and state = 'open' and user_id = any ($1) order by 2`,
        [[guardHere.id, bystander.id]],
      );
      expect(messages.rows).toEqual([
        { user_id: guardHere.id, notices: 1 },
        { user_id: bystander.id, notices: 2 },
      ]);
    });
  });

  test('adds and removes in one call, or changes nothing and names the conflict', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, dispatcher);
      const shift = scene.openShifts.here;
      const set = (add: string[], remove: string[]) =>
        client.query<{ user_id: string }>('select user_id from assign_guards($1, $2, $3)', [
          shift,
          add,
          remove,
        ]);
      await set([guardHere.id, bystander.id], []);
      const { rows } = await set([guardElsewhere.id, guardHere.id], [bystander.id]);
      expect(rows.map((row) => row.user_id).sort()).toEqual(
        [guardHere.id, guardElsewhere.id].sort(),
      );

      const overlapping = await client.query<{ id: string }>(
        'insert into shifts (site_id, start_time, end_time) select site_id, start_time, end_time from shifts where id = $1 returning id',
        [shift],
      );
      await client.query('savepoint before');
      await expect(
        client.query('select assign_guards($1, $2)', [
          overlapping.rows[0]?.id,
          [bystander.id, guardHere.id],
        ]),
      ).rejects.toThrow(/^guard on the site is already on an overlapping shift, /);
      await client.query('rollback to savepoint before');
      await becomeOwner(client);
      const { rowCount } = await client.query('select from assignments where shift_id = $1', [
        overlapping.rows[0]?.id,
      ]);
      expect(rowCount).toBe(0);
    });
  });

  test('back-to-back shifts don’t overlap, and a cancelled shift doesn’t conflict', async () => {
    await rolledBack(database.owner, async (client) => {
      const shift = async (from: string, to: string) =>
        (
          await client.query<{ id: string }>(
            `insert into shifts (site_id, start_time, end_time) values ($1, now() + $2::interval, now() + $3::interval) returning id`,
            [scene.sites.here, from, to],
          )
        ).rows[0]?.id;
      const [first, next, over] = [
        await shift('60 days', '60 days 12 hours'),
        await shift('60 days 12 hours', '61 days'),
        await shift('60 days', '61 days'),
      ];
      await client.query(LENIENT_RULES);
      await become(client, dispatcher);
      await client.query('select assign_guards($1, $2)', [first, [bystander.id]]);
      await client.query('select assign_guards($1, $2)', [next, [bystander.id]]);
      await client.query(`update assignments set status = 'cancelled' where shift_id = any ($1)`, [
        [first, next],
      ]);
      await client.query('select assign_guards($1, $2)', [over, [bystander.id]]);
      const error = await attempt(client, () =>
        client.query(`update assignments set status = 'assigned' where shift_id = $1`, [first]),
      );
      expect(error).toBe('23P01');
    });
  });

  test('an assignment without a clock-in can be reassigned, one with a clock-in can’t', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, dispatcher);
      const give = (inUse: boolean) => {
        const own = scene.rows.assignments.filter((row) => row.owner === bystander.id);
        const id = own.find((row) => (row.inUse ?? false) === inUse)?.id;
        return attempt(client, () =>
          client.query('update assignments set user_id = $2 where id = $1', [id, admin.id]),
        );
      };
      expect(await give(true)).toBe('PT409');
      expect(await give(false)).toBeUndefined();
    });
  });

  test('a shift is deleted with its assignments until someone has clocked in', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const attended = scene.rows.shifts.find((row) => row.inUse)?.id;
      const waiting = scene.rows.shifts.find((row) => row.assigned && !row.inUse)?.id;
      await client.query('savepoint before');
      await expect(client.query('delete from shifts where id = $1', [attended])).rejects.toThrow(
        'A guard has clocked in on this shift',
      );
      await client.query('rollback to savepoint before');
      expect((await client.query('delete from shifts where id = $1', [waiting])).rowCount).toBe(1);
    });
  });

  test('a restored shift gets its guards back, except those who work elsewhere, who are named', async () => {
    await rolledBack(database.owner, async (client) => {
      const { rows: made } = await client.query<{ id: string }>(
        `insert into shifts (site_id, start_time, end_time, required_headcount, notes)
         values ($1, '2035-01-01 18:00Z', '2035-01-02 06:00Z', 3, 'Gate') returning id`,
        [scene.sites.here],
      );
      const id = made[0]?.id;
      const look = async () =>
        (
          await client.query(
            `select s.required_headcount, s.notes, s.created_at,
               (select jsonb_agg(jsonb_build_array(a.id, a.user_id, a.status, a.role_at_shift) order by a.user_id)
                from assignments a where a.shift_id = s.id) as guards
             from shifts s where s.id = $1`,
            [id],
          )
        ).rows[0];
      await client.query(
        `insert into assignments (shift_id, user_id, status, role_at_shift)
         values ($1, $2, 'confirmed', 'Lead'), ($1, $3, 'assigned', 'Gate'), ($1, $4, 'cancelled', 'Gate')`,
        [id, guardHere.id, bystander.id, guardElsewhere.id],
      );
      await become(client, opsManager);
      const before = await look();
      const remove = async () => {
        const { rows } = await client.query(
          `with kept as (select jsonb_agg(to_jsonb(a)) as guards from assignments a where a.shift_id = $1)
           delete from shifts s using kept where s.id = $1 returning to_jsonb(s) as shift, kept.guards`,
          [id],
        );
        return [rows[0].shift, JSON.stringify(rows[0].guards)];
      };
      const restore = async (values: unknown[]) =>
        (await client.query('select * from restore_shift($1, $2)', values)).rows;

      expect(await restore(await remove())).toEqual([{ restored: 3, left_out: [] }]);
      expect(await look()).toEqual(before);

      const deleted = await remove();
      await client.query(
        `with shift as (
           insert into shifts (site_id, start_time, end_time)
           values ($1, '2035-01-01 20:00Z', '2035-01-01 22:00Z') returning id
         )
         insert into assignments (shift_id, user_id) select id, $2 from shift`,
        [scene.sites.elsewhere, bystander.id],
      );
      expect(await restore(deleted)).toEqual([
        {
          restored: 2,
          left_out: [
            'bystander is already on an overlapping shift, Jan 1, 8:00 PM to Jan 1, 10:00 PM.',
          ],
        },
      ]);
      const again = await remove();
      await become(client, guardHere);
      expect(await attempt(client, () => restore(again))).toBe(REFUSED);
      await become(client, opsManager);
      expect(await attempt(client, () => restore(['[]', '{}']))).toBe('22023');
    });
  });
});
