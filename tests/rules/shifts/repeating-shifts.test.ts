import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

import { days, MONDAY, shiftWriters, TUESDAY } from '#tests/support/shift-writers.ts';

let database: TestDatabase;
let scene: Scene;
const { shift, assign } = shiftWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

describe('repeating a shift', () => {
  test('keeps local hours across midnight, and makes no duplicates', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(`update sites set timezone = 'Africa/Lagos' where id = $1`, [
        scene.sites.here,
      ]);
      const zone = 'Africa/Lagos';
      const id = await shift(client, `${MONDAY} 18:00`, `${TUESDAY} 06:00`, { zone });
      // The 3rd is already planned, with its own note.
      await shift(client, '2035-01-03 18:00', '2035-01-04 06:00', { zone, notes: 'VIP visit' });
      await become(client, dispatcher);
      const preview = await days(client, 'preview_repeat($1, $2)', [id, '2035-01-04']);
      expect(preview.map(({ day, made, existing }) => [day, made, existing])).toEqual([
        [TUESDAY, 1, 0],
        ['2035-01-03', 0, 1],
        ['2035-01-04', 1, 0],
      ]);
      expect(await days(client, 'repeat_shift($1, $2)', [id, '2035-01-04'])).toEqual(preview);
      const again = await days(client, 'repeat_shift($1, $2)', [id, '2035-01-04']);
      expect(again.map(({ made, existing }) => [made, existing])).toEqual([
        [0, 1],
        [0, 1],
        [0, 1],
      ]);
      const { rows } = await client.query(
        `select to_char(start_time at time zone 'Africa/Lagos', 'MM-DD HH24:MI') as start,
           to_char(end_time at time zone 'Africa/Lagos', 'MM-DD HH24:MI') as end, required_headcount, notes
         from shifts where start_time > '2035-01-01' order by start_time`,
      );
      const night = (start: string, end: string, notes = 'Front gate') => ({
        start: `${start} 18:00`,
        end: `${end} 06:00`,
        required_headcount: 2,
        notes,
      });
      expect(rows).toEqual([
        night('01-01', '01-02'),
        night('01-02', '01-03'),
        night('01-03', '01-04', 'VIP visit'),
        night('01-04', '01-05'),
      ]);
    });
  });

  test('on chosen weekdays with its guards, except those who can’t work, listed with the reason', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from certifications');
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await assign(client, id, guardHere, bystander, guardElsewhere);
      await client.query(
        `update assignments set status = 'cancelled' where shift_id = $1 and user_id = $2`,
        [id, guardElsewhere.id],
      );
      const other = await shift(client, '2035-01-05 12:00', '2035-01-05 20:00', {
        site: scene.sites.elsewhere,
      });
      await assign(client, other, guardHere);
      await client.query(
        `update leave_requests set status = 'approved', start_date = '2035-01-03', end_date = '2035-01-03'
         where user_id = $1`,
        [bystander.id],
      );
      await become(client, supervisorHere);
      const values = [id, '2035-01-07', [3, 5], true];
      const preview = await days(client, 'preview_repeat($1, $2, $3, $4)', values);
      expect(preview).toEqual([
        {
          day: '2035-01-03',
          made: 1,
          existing: 0,
          assigned: 2,
          left_out: [],
          warned: ['bystander (Here, Jan 3, 6:00 AM): on approved leave'],
        },
        {
          day: '2035-01-05',
          made: 1,
          existing: 0,
          assigned: 1,
          left_out: [
            'guard on the site (Here, Jan 5, 6:00 AM): already on a shift, Jan 5, 12:00 PM to Jan 5, 8:00 PM',
          ],
          warned: [],
        },
      ]);
      await days(client, 'repeat_shift($1, $2, $3, $4)', values);
      const { rows } = await client.query(
        `select a.user_id, a.role_at_shift, a.status, extract(day from a.starts_at)::int as day
         from assignments a join shifts s on s.id = a.shift_id
         where s.start_time > '2035-01-02' and s.site_id = $1 order by a.starts_at, a.user_id`,
        [scene.sites.here],
      );
      const work = (person: { id: string }, day: number) => ({
        user_id: person.id,
        role_at_shift: 'Gate',
        status: 'assigned',
        day,
      });
      expect(rows).toEqual([work(guardHere, 3), work(bystander, 3), work(bystander, 5)]);
    });
  });

  test('daily: the guard is left out of the copies that the rules forbid, next to the copies before', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from certifications');
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await assign(client, id, guardHere);
      await become(client, dispatcher);
      const values = [id, '2035-01-08', []];
      const preview = await days(client, 'preview_repeat($1, $2, $3, true)', values);
      const who = (day: number) => `guard on the site (Here, Jan ${day}, 6:00 AM): `;
      expect(preview.map(({ assigned, left_out }) => [assigned, ...left_out])).toEqual([
        [1],
        [1],
        [1],
        [0, `${who(5)}53 h a week at most, this would make 60 h`],
        [0, `${who(6)}53 h a week at most, this would make 60 h`],
        [0, `${who(7)}53 h a week at most, this would make 60 h`],
        [1],
      ]);
      expect(await days(client, 'repeat_shift($1, $2, $3, true)', values)).toEqual(preview);
    });
  });

  test('longer than a day, daily: no guard is on two copies at the same time', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from certifications');
      const id = await shift(client, `${MONDAY} 06:00`, '2035-01-02 18:00');
      await client.query(
        `insert into assignments (shift_id, user_id, override_reason) values ($1, $2, 'Flood')`,
        [id, guardHere.id],
      );
      await become(client, dispatcher);
      const made = await days(client, 'repeat_shift($1, $2, $3, true)', [id, '2035-01-03', []]);
      const who = 'guard on the site (Here, Jan';
      expect(made.map(({ assigned, left_out }) => [assigned, ...left_out])).toEqual([
        [0, `${who} 2, 6:00 AM): already on a shift, Jan 1, 6:00 AM to Jan 2, 6:00 PM`],
        [0, expect.stringContaining('12 h a shift at most, this one has 36 h')],
      ]);
    });
  });

  test('two posts with the same hours are each repeated once', async () => {
    await rolledBack(database.owner, async (client) => {
      const hours = [`${MONDAY} 06:00`, `${MONDAY} 18:00`] as const;
      const front = await shift(client, ...hours);
      const back = await shift(client, ...hours, { notes: 'Back gate' });
      await become(client, dispatcher);
      for (const [id, made] of [
        [front, 1],
        [back, 1],
        [front, 0],
        [back, 0],
      ]) {
        const [day] = await days(client, 'repeat_shift($1, $2)', [id, TUESDAY]);
        expect(day?.made).toBe(made);
      }
    });
  });

  test.each([
    ['2034-12-31', [], 'Choose a last day after the day of the shift.'],
    ['2037-01-01', [], 'A shift can be repeated for a year at most.'],
    ['2035-01-09', [8], 'Weekdays are numbers from 1 (Monday) to 7 (Sunday).'],
  ])('until %s on %j is refused', async (until, weekdays, reason) => {
    await rolledBack(database.owner, async (client) => {
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await become(client, dispatcher);
      await expect(days(client, 'repeat_shift($1, $2, $3)', [id, until, weekdays])).rejects.toThrow(
        reason,
      );
    });
  });
});
