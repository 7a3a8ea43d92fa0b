import type { PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
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
import { buildScene, type Scene } from '#tests/support/scene.ts';
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
  database = await freshDatabase();
  scene = await buildScene(database.owner);
});

/** A Monday far from every shift of the scene. */
const MONDAY = '2035-01-01';
const TUESDAY = '2035-01-02';
const DAYS = `select day::text, made, existing, assigned, left_out, warned from`;

interface Day {
  day: string;
  made: number;
  existing: number;
  assigned: number;
  left_out: string[];
  warned: string[];
}

/** @returns the id of a new shift; times are local times in `zone` */
async function shift(
  client: PoolClient,
  from: string,
  to: string,
  { site = scene.sites.here, zone = 'Africa/Monrovia', notes = 'Front gate' } = {},
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into shifts (site_id, start_time, end_time, required_headcount, notes)
     values ($1, $2::timestamp at time zone $4, $3::timestamp at time zone $4, 2, $5) returning id`,
    [site, from, to, zone, notes],
  );
  return rows[0]?.id ?? '';
}

async function assign(client: PoolClient, id: string, ...people: { id: string }[]) {
  for (const person of people) {
    await client.query(
      `insert into assignments (shift_id, user_id, role_at_shift) values ($1, $2, 'Gate')`,
      [id, person.id],
    );
  }
}

async function days(client: PoolClient, call: string, values: unknown[]): Promise<Day[]> {
  return (await client.query<Day>(`${DAYS} ${call}`, values)).rows;
}

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

describe('the shift list', () => {
  test('counts guards without cancelled assignments, and gives the staffing state', async () => {
    await rolledBack(database.owner, async (client) => {
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      const look = async () => {
        await become(client, supervisorHere);
        const { rows } = await client.query(
          'select assigned, attended, staffing from shift_board where id = $1',
          [id],
        );
        await becomeOwner(client);
        return rows[0];
      };
      expect(await look()).toEqual({ assigned: 0, attended: 0, staffing: 'none' });
      await assign(client, id, guardHere, bystander);
      expect(await look()).toEqual({ assigned: 2, attended: 0, staffing: 'full' });
      await client.query(
        `update assignments set status = 'cancelled' where shift_id = $1 and user_id = $2`,
        [id, bystander.id],
      );
      expect(await look()).toEqual({ assigned: 1, attended: 0, staffing: 'partial' });
    });
  });

  test('totals the filtered shifts of the sites that the caller can see', async () => {
    await rolledBack(database.owner, async (client) => {
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`, {
        site: scene.sites.elsewhere,
        notes: '100%_sure',
      });
      await assign(client, id, guardHere);
      const totals = async (values: unknown[]) => {
        const sql = `select shifts, assigned, required from shift_totals($1, $2, $3, $4, $5)`;
        const span = [`${MONDAY}T00:00:00Z`, `${TUESDAY}T00:00:00Z`];
        return Object.values((await client.query(sql, [...span, ...values])).rows[0]);
      };
      await become(client, dispatcher);
      expect(await totals([null, null, ''])).toEqual([2, 1, 4]);
      expect(await totals([scene.sites.elsewhere, null, ''])).toEqual([1, 0, 2]);
      expect(await totals([null, 'partial', ''])).toEqual([1, 1, 2]);
      expect(await totals([null, null, 'FRONT  her'])).toEqual([1, 1, 2]);
      expect(await totals([null, null, '%_'])).toEqual([1, 0, 2]);
      const week = async (...values: unknown[]) => {
        const sql = 'select shifts, assigned, required from week_totals($1, $2, $3)';
        return (await client.query(sql, [MONDAY, ...values])).rows.map(Object.values);
      };
      const none = Array(6).fill([0, 0, 0]);
      expect(await week(null, '')).toEqual([[2, 1, 4], ...none]);
      expect(await week(scene.sites.elsewhere, '')).toEqual([[1, 0, 2], ...none]);
      // The week view searches sites, not notes.
      expect(await week(null, 'ELSE cli')).toEqual([[1, 0, 2], ...none]);
      expect(await week(null, 'sure')).toEqual([[0, 0, 0], ...none]);
      await become(client, supervisorElsewhere);
      expect(await totals([null, null, ''])).toEqual([1, 0, 2]);
      expect(await week(null, '')).toEqual([[1, 0, 2], ...none]);
    });
  });
});
