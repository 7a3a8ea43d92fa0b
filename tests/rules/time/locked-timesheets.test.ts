// What lies in a locked timesheet stays as it is, and what arrives later becomes an adjustment.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  as,
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

const LOCKED = 'PT409 The period March 1 to 31, 2025 is locked.';

const lock = ({ client }: Timesheets): Promise<unknown> =>
  client.query(`update timesheets set status = 'locked', locked_at = now()`);

describe('a locked timesheet', () => {
  test('keeps everything in it, for the owner of the database too', () =>
    story(
      { shifts: ['3 06:00-18:00', '4 06:00-14:00 | 06:00-15:00'], leave: ['annual 10-11'] },
      async (sheets) => {
        await lock(sheets);
        for (const sql of [
          `update attendance set clock_out_at = clock_out_at - interval '1 hour'`,
          `update attendance set needs_review = true`,
          'delete from attendance',
          `update shifts set end_time = end_time + interval '1 hour' where start_time = '2025-03-03T06:00Z'`,
          `update assignments set status = 'cancelled' where user_id = '${guardHere.id}'`,
          `update leave_requests set status = 'cancelled' where start_date = '2025-03-10'`,
          `update leave_requests set end_date = '2025-03-12' where start_date = '2025-03-10'`,
          `delete from leave_requests where start_date = '2025-03-10'`,
          `insert into time_decisions (attendance_id, user_id, site_id, kind, approved)
         select id, user_id, site_id, 'stayed_on', false from attendance`,
          `insert into timesheet_disputes (timesheet_id, user_id, day, note)
         select id, user_id, '2025-03-04', 'I was there.' from timesheets`,
          'update time_segments set rate = 3',
          'delete from time_segments',
          'update timesheet_days set paid_minutes = 0',
          `update timesheets set status = 'open'`,
          'delete from timesheets',
          `insert into company_holidays (day, name) values ('2025-03-20', 'Ours')`,
        ]) {
          expect([sql, await refused(sheets, sql)]).toEqual([sql, LOCKED]);
        }
        for (const sql of [
          'update time_rules set week_minutes = 100',
          `insert into time_rules (name, effective_from) values ('New', '2025-03-31')`,
        ]) {
          expect(await refused(sheets, sql)).toBe(`${LOCKED} Add rules that begin after it.`);
        }
        expect(await refused(sheets, 'truncate time_segments')).toMatch(/^PT409/);
        await sheets.client.query('savepoint adding');
        await expect(sheets.work('20 06:00-18:00 | -')).rejects.toThrow(
          'The period March 1 to 31, 2025 is locked.',
        );
        await sheets.client.query('rollback to savepoint adding');
        expect((await sheetOf(sheets)).status).toBe('locked');
      },
    ));

  test('lets the open part of a night across its end change, and the week counts its hours', () =>
    story({ shifts: ['31 18:00-06:00'] }, async (sheets) => {
      const { client } = sheets;
      await client.query(
        `update timesheets set status = 'locked' where period_start = '2025-03-01'`,
      );
      await client.query(`update attendance set clock_out_at = '2025-04-01T05:00Z'`);
      expect(await sheets.segments()).toEqual([
        '31 18:00-22:00 regular',
        '31 22:00-00:00 night',
        '32 00:00-05:00 night',
      ]);
      expect(
        await refused(sheets, `update attendance set clock_out_at = '2025-03-31T23:00Z'`),
      ).toBe(LOCKED);
      await sheets.work('34 06:00-18:00');
      await sheets.work('35 06:00-18:00');
      await sheets.work('36 06:00-18:00');
      await sheets.work('37 06:00-18:00');
      expect((await sheets.segments()).at(-1)).toBe('37 07:00-18:00 overtime_1 week_limit');
    }));
});

describe('a decision about a night across the end of a locked period', () => {
  const DECIDE = `select decide_time((select id from attendance where user_id = $1), $2, $3)`;
  const lockMarch = ({ client }: Timesheets) =>
    client.query(`update timesheets set status = 'locked' where period_start = '2025-03-01'`);

  test('is taken about the morning after it, which is open', () =>
    story({ shifts: ['31 18:00-06:00 | 18:00-07:00'] }, async (sheets) => {
      const { person } = sheets;
      await lockMarch(sheets);
      expect(await sheets.notes()).toEqual(['32: stayed_on']);
      await as(sheets, admin, DECIDE, [person, 'stayed_on', false]);
      expect(await sheets.notes()).toEqual([]);
      expect((await sheets.segments()).at(-1)).toBe('32 06:00-07:00 unpaid not_approved');
      await as(sheets, admin, DECIDE, [person, 'stayed_on', true]);
      expect((await sheets.segments()).at(-1)).toBe('32 06:00-07:00 regular');
      await as(sheets, admin, DECIDE, [person, 'stayed_on', null]);
      expect(await sheets.notes()).toEqual(['32: stayed_on']);
    }));

  test('is refused about the evening in it', () =>
    story({ shifts: ['31 06:00-22:00 | 06:00-23:00'] }, async (sheets) => {
      await lockMarch(sheets);
      for (const approved of [true, false])
        expect(await refused(sheets, DECIDE, [sheets.person, 'stayed_on', approved], admin)).toBe(
          LOCKED,
        );
    }));

  test('not to pay minutes before midnight changes nothing in it; to pay them would', () =>
    story({ shifts: ['32 00:00-08:00 | 23:30-08:00'] }, async (sheets) => {
      const { person } = sheets;
      await lockMarch(sheets);
      expect(await refused(sheets, DECIDE, [person, 'early_arrival', true], admin)).toBe(LOCKED);
      await as(sheets, admin, DECIDE, [person, 'early_arrival', false]);
      expect((await sheets.segments())[0]).toBe('31 23:30-00:00 unpaid early_arrival');
    }));
});

describe('a clock event that arrives late', () => {
  const LATE = `select attendance_id from private.record_event_for($1, 'phone', null, null, $2, $3, $4, $5, null, now())`;

  test('is stored, and its shift becomes one adjustment to decide', () =>
    story({ shifts: ['3 06:00-18:00', '5 06:00-18:00 | -'] }, async (sheets) => {
      const { client, person } = sheets;
      await lock(sheets);
      const { rows } = await client.query<{ id: string }>(
        `select id from assignments where user_id = $1 and starts_at = '2025-03-05T06:00Z'`,
        [person],
      );
      const assignment = rows[0]?.id;
      const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
      for (const [event, kind, at] of [
        [first, 'in', '05:50'],
        [second, 'out', '18:02'],
        [first, 'in', '05:50'],
      ]) {
        const result = await client.query(LATE, [
          person,
          event,
          kind,
          assignment,
          `2025-03-05T${at}Z`,
        ]);
        expect(result.rows).toEqual([{ attendance_id: null }]);
      }
      expect(
        (await client.query('select from attendance where assignment_id = $1', [assignment]))
          .rowCount,
      ).toBe(0);
      const adjustments = await client.query(
        `select status, minutes, period_start::text, details -> 'events' as events, explanation
         from pay_adjustments where user_id = $1 and kind = 'late_event'`,
        [person],
      );
      expect(adjustments.rows).toEqual([
        {
          status: 'to_decide',
          minutes: 722,
          period_start: '2025-03-01',
          events: [first, second],
          explanation:
            'Clock events of March 5, 2025 arrived after the period March 1 to March 31 was locked.',
        },
      ]);
    }));
});
