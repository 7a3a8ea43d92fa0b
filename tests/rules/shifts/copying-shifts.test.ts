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
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

import { type Day, days, MONDAY, shiftWriters } from '#tests/support/shift-writers.ts';

let database: TestDatabase;
let scene: Scene;
const { shift, assign } = shiftWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

describe('copying a week', () => {
  test('copies all sites or one, with guards, and copies nothing the second time', async () => {
    await rolledBack(database.owner, async (client) => {
      const here = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await shift(client, '2035-01-07 18:00', '2035-01-08 06:00');
      await shift(client, '2035-01-08 00:00', '2035-01-08 08:00', { notes: 'Next week' });
      const there = await shift(client, '2035-01-03 06:00', '2035-01-03 18:00', {
        site: scene.sites.elsewhere,
      });
      await assign(client, here, guardHere);
      await assign(client, there, guardElsewhere);
      await become(client, opsManager);
      const weeks = [MONDAY, '2035-01-15'];
      const figures = (rows: Day[]) =>
        rows.map(({ day, made, existing, assigned }) => [day, made, existing, assigned]);
      const one = await days(client, 'copy_week($1, $2, $3)', [...weeks, scene.sites.elsewhere]);
      expect(figures(one)).toEqual([['2035-01-17', 1, 0, 1]]);
      const preview = await days(client, 'preview_week_copy($1, $2)', weeks);
      expect(figures(preview)).toEqual([
        ['2035-01-15', 1, 0, 1],
        ['2035-01-17', 0, 1, 0],
        ['2035-01-21', 1, 0, 0],
      ]);
      expect(figures(await days(client, 'copy_week($1, $2)', weeks))).toEqual(figures(preview));
      const again = await days(client, 'copy_week($1, $2)', weeks);
      expect(again.reduce((sum, { made }) => sum + made, 0)).toBe(0);
      const { rowCount } = await client.query(
        `select from assignments where starts_at >= '2035-01-15'`,
      );
      expect(rowCount).toBe(2);
    });
  });

  test('leaves out guards on leave unless they are chosen, and others if they are not', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from certifications');
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await assign(client, id, guardHere, bystander, guardElsewhere);
      await client.query(
        `update leave_requests set status = 'approved', start_date = '2035-01-08', end_date = '2035-01-08'
         where user_id = $1`,
        [bystander.id],
      );
      const busy = await shift(client, '2035-01-08 12:00', '2035-01-08 20:00', {
        site: scene.sites.elsewhere,
      });
      await assign(client, busy, guardElsewhere);
      const { rows: assigned } = await client.query<{ id: string; user_id: string }>(
        'select id, user_id from assignments where shift_id = $1',
        [id],
      );
      const assignmentOf = (person: Person) =>
        assigned.find(({ user_id }) => user_id === person.id)?.id;
      await become(client, dispatcher);
      const weeks = [MONDAY, '2035-01-08', scene.sites.here];
      const { rows: choices } = await client.query(
        'select assignment_id, is_on_leave, conflict, warnings from week_copy_guards($1, $2, $3)',
        weeks,
      );
      expect(choices).toEqual([
        {
          assignment_id: assignmentOf(bystander),
          is_on_leave: true,
          conflict: null,
          warnings: ['On approved leave'],
        },
        {
          assignment_id: assignmentOf(guardElsewhere),
          is_on_leave: false,
          conflict: 'already on a shift, Jan 8, 12:00 PM to Jan 8, 8:00 PM',
          warnings: [],
        },
      ]);
      const preview = (without: unknown[], despite: unknown[]) =>
        days(client, 'preview_week_copy($1, $2, $3, true, $4, $5)', [...weeks, without, despite]);
      expect(await preview([], [])).toMatchObject([
        {
          assigned: 1,
          left_out: [
            'bystander (Here, Jan 8, 6:00 AM): on approved leave',
            expect.stringContaining('already on a shift'),
          ],
        },
      ]);
      expect(await preview([], [assignmentOf(bystander)])).toMatchObject([{ assigned: 2 }]);
      expect(await preview([assignmentOf(guardHere)], [])).toMatchObject([{ assigned: 0 }]);

      await days(client, 'copy_week($1, $2, $3, true, $4, $5)', [
        ...weeks,
        [assignmentOf(guardHere)],
        [assignmentOf(bystander)],
      ]);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select a.user_id from assignments a join shifts s on s.id = a.shift_id
         where s.start_time >= '2035-01-08' and s.site_id = $1`,
        [scene.sites.here],
      );
      expect(rows).toEqual([{ user_id: bystander.id }]);
    });
  });

  test('by a supervisor scoped to a site copies that site', async () => {
    await rolledBack(database.owner, async (client) => {
      await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`, { site: scene.sites.elsewhere });
      await become(client, supervisorHere);
      await days(client, 'copy_week($1, $2)', [MONDAY, '2035-01-08']);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select site_id from shifts where start_time >= '2035-01-08'`,
      );
      expect(rows).toEqual([{ site_id: scene.sites.here }]);
    });
  });

  test('onto the same week is refused', async () => {
    await expect(
      asPerson(database.owner, dispatcher, 'select * from copy_week($1, $1)', [MONDAY]),
    ).rejects.toThrow('Choose two different weeks.');
  });
});

test.each([supervisorElsewhere, guardHere, hr, newcomer])(
  '$name neither repeats nor copies shifts of the site, nor looks what would come of it',
  async (person) => {
    await rolledBack(database.owner, async (client) => {
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await become(client, person);
      for (const name of ['repeat_shift', 'preview_repeat']) {
        const error = await attempt(client, () =>
          days(client, `${name}($1, $2)`, [id, '2035-01-04']),
        );
        // Callers who can't read the shift get "not found".
        expect([REFUSED, 'PT404']).toContain(error);
      }
      for (const name of ['copy_week', 'preview_week_copy', 'week_copy_guards']) {
        const error = await attempt(client, () =>
          client.query(`select * from ${name}($1, $2, $3)`, [
            MONDAY,
            '2035-01-08',
            scene.sites.here,
          ]),
        );
        expect(error).toBe(REFUSED);
      }
      await becomeOwner(client);
      const { rowCount } = await client.query(
        `select from shifts where start_time > '2035-01-01 12:00'`,
      );
      expect(rowCount).toBe(0);
    });
  },
);
