// The life of a timesheet: it follows its facts, and is approved by another person.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  finance,
  guardElsewhere,
  guardHere,
  hr,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  as,
  dateOf,
  type Hours,
  refused,
  sheetOf,
  type Timesheets,
  withHours,
} from '#tests/support/timesheets.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; delete from timesheets`);
});

const story = (hours: Hours, look: (sheets: Timesheets) => Promise<void>): Promise<void> =>
  withHours(database.owner, scene.sites.here, hours, look);

const APPROVE = 'select approved, refused from approve_timesheets(array[$1]::uuid[])';

describe('a timesheet follows', () => {
  test('a correction at once, and computing it again changes nothing', () =>
    story({ shifts: ['3 06:00-18:00 | 06:00-'] }, async (sheets) => {
      expect(await sheets.notes()).toEqual(['3: missing_clock_out']);
      await sheets.client.query(`update attendance set clock_out_at = '2025-03-03T17:00Z'`);
      expect(await sheets.segments()).toEqual(['3 06:00-17:00 regular']);
      expect(await sheets.notes()).toEqual(['3: missing 60']);
      const all = `select (select jsonb_agg(t order by id) from timesheets t) as sheets,
        (select jsonb_agg(d order by id) from timesheet_days d) as days, (select jsonb_agg(s order by id) from time_segments s) as segments`;
      const before = await sheets.client.query(all);
      await sheets.client.query(`select compute_timesheets('2025-03-01', '2025-03-31')`);
      expect((await sheets.client.query(all)).rows).toEqual(before.rows);
    }));

  test('leave, cancelled shifts, decisions and disputes', () =>
    story({ shifts: ['3 06:00-14:00 | 06:00-15:00', '5 06:00-18:00 | -'] }, async (sheets) => {
      const { client, person } = sheets;
      expect(await sheets.notes()).toEqual(['3: stayed_on', '5: missing 720, missing_clock_in']);
      await client.query(
        `update assignments set status = 'cancelled' where starts_at = '2025-03-05T06:00Z'`,
      );
      await sheets.leave('annual 6-6');
      await as(
        sheets,
        supervisorHere,
        `select decide_time((select id from attendance where user_id = $1), 'stayed_on', false, 'Nobody asked')`,
        [person],
      );
      expect(await sheets.segments()).toEqual([
        '3 06:00-14:00 regular',
        '3 14:00-15:00 unpaid not_approved',
        '6 08:00-16:00 leave_paid',
      ]);
      expect(await sheets.notes()).toEqual([]);
      await as(
        sheets,
        guardHere,
        `insert into timesheet_disputes (timesheet_id, day, note) values ($1, $2, 'I was asked.')`,
        [(await sheetOf(sheets)).id, dateOf(3)],
      );
      expect(await sheetOf(sheets)).toMatchObject({ open_issues: 1, issues: ['dispute'] });
      await as(
        sheets,
        hr,
        `select answer_dispute((select id from timesheet_disputes), 'By whom?')`,
      );
      expect(await sheetOf(sheets)).toMatchObject({ open_issues: 0 });
      expect(await as(sheets, guardHere, 'select answer from timesheet_disputes')).toEqual([
        { answer: 'By whom?' },
      ]);
    }));

  test('new rules and holidays as soon as the servers come to it', () =>
    story({ shifts: ['3 06:00-18:00'] }, async (sheets) => {
      await sheets.client.query(`insert into company_holidays (day, name) values ($1, 'Ours')`, [
        dateOf(3),
      ]);
      expect(await sheets.segments()).toEqual(['3 06:00-18:00 regular']);
      await sheets.client.query('select private.due_time()');
      expect(await sheets.segments()).toEqual(['3 06:00-18:00 holiday']);
    }));

  test('a clock event within seconds, so that the event itself is answered at once', () =>
    story({ shifts: ['3 06:00-18:00 | 06:00-'] }, async (sheets) => {
      const { client, person } = sheets;
      await client.query(
        `select private.record_event_for($1, 'phone', null, null, gen_random_uuid(), 'out', a.id, '2025-03-03T18:00Z',
           p_sent_at => now(), p_reason => 'No location')
         from assignments a where a.user_id = $1 and a.starts_at = '2025-03-03T06:00Z'`,
        [person],
      );
      expect(await sheets.segments()).toEqual([]);
      await client.query('select private.due_time()');
      expect(await sheets.segments()).toEqual(['3 06:00-18:00 regular']);
    }));

  test('its facts later if it can’t be computed, and no clock event is refused', () =>
    story({ shifts: ['3 06:00-18:00'] }, async (sheets) => {
      const { client } = sheets;
      await client.query(`create function pg_temp.fail() returns trigger language plpgsql as $$ begin raise 'No disk'; end $$;
        create trigger failing before insert on time_segments for each row execute function pg_temp.fail()`);
      await client.query(`update attendance set clock_out_at = '2025-03-03T17:00Z'`);
      expect(await sheets.segments()).toEqual(['3 06:00-18:00 regular']);
      expect(
        (
          await client.query(
            'select distinct error from private.time_to_compute where error is not null',
          )
        ).rows,
      ).toEqual([{ error: 'No disk' }]);
      await client.query('drop trigger failing on time_segments; select private.due_time()');
      expect(await sheets.segments()).toEqual(['3 06:00-17:00 regular']);
      expect((await client.query('select from private.time_to_compute')).rowCount).toBe(0);
    }));
});

describe('approval', () => {
  test('is of those who oversee every site of it, and of nobody for themselves', () =>
    story({ shifts: ['3 06:00-18:00'] }, async (sheets) => {
      const { id } = await sheetOf(sheets);
      const none = [{ approved: 0, refused: [expect.objectContaining({ id })] }];
      for (const person of [supervisorElsewhere, bystander, guardHere]) {
        expect(await as(sheets, person, APPROVE, [id])).toEqual(none);
      }
      for (const person of [supervisorHere, supervisorEverywhere, opsManager, hr]) {
        expect(await as(sheets, person, APPROVE, [id])).toEqual([{ approved: 1, refused: [] }]);
        expect(await as(sheets, person, APPROVE, [id])).toEqual([{ approved: 0, refused: [] }]);
        await as(sheets, person, `select reopen_timesheet($1, 'Looked again')`, [id]);
      }
      expect(await sheetOf(sheets)).toMatchObject({ status: 'open', note: 'Looked again' });
    }));

  test('waits for open issues', () =>
    story({ shifts: ['3 06:00-18:00 | 06:00-'] }, async (sheets) => {
      const { id } = await sheetOf(sheets);
      expect(await as(sheets, hr, APPROVE, [id])).toEqual([
        { approved: 0, refused: [{ id, name: guardHere.name, reason: '1 issue is open.' }] },
      ]);
    }));

  test('ends when a fact changes, but not when nothing changes', () =>
    story({ shifts: ['3 06:00-18:00'] }, async (sheets) => {
      const { id } = await sheetOf(sheets);
      await as(sheets, guardHere, 'select submit_timesheet($1)', [id]);
      await as(sheets, hr, APPROVE, [id]);
      await sheets.client.query('update attendance set updated_at = now()');
      expect(await sheetOf(sheets)).toMatchObject({
        status: 'approved',
        approved_by: hr.id,
        submitted_by: guardHere.id,
      });
      await sheets.client.query(`update attendance set clock_out_at = '2025-03-03T17:00Z'`);
      expect(await sheetOf(sheets)).toMatchObject({
        status: 'open',
        approved_by: null,
        note: 'Changed after it was approved.',
      });
    }));

  test('of hours is never decided by the person who worked them', () =>
    story({ shifts: ['3 06:00-14:00 | 06:00-15:00'] }, async (sheets) => {
      await sheets.client.query(`insert into user_roles (user_id, role) values ($1, 'hr')`, [
        sheets.person,
      ]);
      const sql = `select decide_time((select id from attendance where user_id = $1), 'stayed_on', true)`;
      expect(await refused(sheets, sql, [sheets.person], guardHere)).toBe(
        '42501 You can decide about hours of others only.',
      );
      expect(await refused(sheets, sql, [sheets.person], supervisorElsewhere)).toMatch(/^PT404/);
    }));
});

describe('the list offers for approval', () => {
  const PERIOD = ['2031-03-01', '2031-03-31'];
  const COUNTS = 'select open, ready from timesheet_counts($1, $2, $3)';

  test('a timesheet without open issues or shifts to come, of another person', () =>
    story({ shifts: [] }, async (sheets) => {
      const { client } = sheets;
      const nights: [Person, string, string][] = [
        // Across midnight, into the first day and out of the last one.
        [guardElsewhere, '2031-02-28T20:00Z', '2031-03-01T04:00Z'],
        [bystander, '2031-03-31T20:00Z', '2031-04-01T04:00Z'],
        // Before the period, and after it.
        [guardHere, '2031-02-28T06:00Z', '2031-02-28T18:00Z'],
        [guardHere, '2031-04-01T06:00Z', '2031-04-01T18:00Z'],
      ];
      for (const [guard, start, end] of nights) {
        await client.query(
          `with shift as (
            insert into shifts (site_id, start_time, end_time, required_headcount) values ($1, $2, $3, 3) returning id
          ) insert into assignments (shift_id, user_id) select id, $4 from shift`,
          [scene.sites.here, start, end, guard.id],
        );
      }
      const sheet = async (owner: Person, issues = 0): Promise<string> => {
        const { rows } = await client.query<{ id: string }>(
          `insert into timesheets (user_id, period_start, period_end, open_issues) values ($1, $2, $3, $4) returning id`,
          [owner.id, ...PERIOD, issues],
        );
        return rows[0]?.id ?? '';
      };
      const free = await sheet(guardHere);
      const ofHr = await sheet(hr);
      await sheet(dispatcher, 1);
      const counts = async (reader: Person, search: string | null = null) =>
        (await as(sheets, reader, COUNTS, [...PERIOD, search]))[0];

      expect(await counts(hr)).toEqual({ open: 5, ready: [free] });
      expect(await counts(opsManager)).toEqual({ open: 5, ready: [free, ofHr].sort() });
      expect(await counts(opsManager, 'bystander')).toEqual({ open: 1, ready: [] });
      expect(await counts(finance)).toEqual({ open: 5, ready: [] });
    }));
});
