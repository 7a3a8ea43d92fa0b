// Clock events that arrive after their period was locked, once approved, are attendance: for coverage, unbilled hours,
// invoices, the margin and the guard. Their pay is an adjustment, once.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  at,
  LATE,
  type Late,
  lateStory,
  lockRun,
  MONTH,
  type Month,
  NOTHING_YET,
  STATE,
  WEEK,
} from '#tests/support/late-story.ts';
import { admin, finance, guardHere, opsManager } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { as, refused } from '#tests/support/timesheets.ts';

let database: TestDatabase;
let site: string;

beforeAll(async () => {
  const made = await sceneDatabase();
  ({ database } = made);
  site = made.scene.sites.here;
  await database.owner.query(NOTHING_YET);
});

const late = (month: Month, work: (told: Late) => Promise<void>) =>
  lateStory({ pool: database.owner, site }, month, work);

describe('an approved late event', () => {
  test('covers the post, is unbilled, and is the attendance that the guard and the office see', () =>
    late({ shifts: WEEK }, async ({ sheets, one, send, approve, coverage, unbilled, paid }) => {
      expect(await coverage()).toBe('1440 720 720');
      expect(await unbilled()).toEqual(['not_drafted 720']);
      await send(5, '06:10', '18:00');
      expect(await coverage()).toBe('1440 720 720');
      expect(await approve()).toMatchObject({ status: 'approved', amount: '11.83' });
      expect(await coverage()).toBe('1440 1430 10');
      expect(await unbilled()).toEqual(['not_drafted 1430']);
      expect(await one(STATE)).toBe('completed out');
      for (const person of [guardHere, opsManager])
        expect(
          await as(
            sheets,
            person,
            `select clock_in_at, late_minutes, clock_in_way, flags, needs_review, resolution from attendance
             where clock_in_at::date = '2025-03-05'`,
          ),
        ).toEqual([
          {
            clock_in_at: new Date(at(5, '06:10')),
            late_minutes: 10,
            clock_in_way: 'phone',
            flags: expect.arrayContaining(['sent_late']),
            needs_review: false,
            resolution: 'The late clock events were approved.',
          },
        ]);
      expect(await paid()).toBe('12.00');
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('23.83');
    }));

  test('clears the no-show that the office had marked', () =>
    late({ shifts: WEEK }, async ({ sheets, run, one, send, approve, reject }) => {
      await as(sheets, finance, `select void_pay_run($1, 'Marked')`, [run]);
      await sheets.client.query(
        `update assignments set status = 'no_show', no_show_reason = 'Asleep' where starts_at::date = '2025-03-05'`,
      );
      await lockRun(sheets);
      await send(5, '06:00', '18:00');
      await approve();
      expect(await one(STATE)).toBe('completed out');
      await reject();
      expect(await one(STATE)).toBe('no_show none Asleep');
    }));

  test('leaves what is locked as it was, and locks with it', () =>
    late({ shifts: WEEK }, async ({ sheets, send, approve }) => {
      const { client } = sheets;
      const LOCKED = `select jsonb_agg(to_jsonb(t) order by t.id) as sheets,
        (select jsonb_agg(to_jsonb(s) order by s.id) from payslips s) as slips,
        (select jsonb_agg(to_jsonb(d) order by d.id) from timesheet_days d) as days from timesheets t`;
      const before = (await client.query(LOCKED)).rows;
      await send(5, '06:00', '18:00');
      await approve();
      expect((await client.query(LOCKED)).rows).toEqual(before);
      for (const sql of [
        `update attendance set clock_out_at = clock_out_at + interval '1 hour' where clock_in_at::date = '2025-03-05'`,
        `delete from attendance where clock_in_at::date = '2025-03-05'`,
        `update assignments set status = 'no_show' where starts_at::date = '2025-03-05'`,
        `delete from time_segments where day = '2025-03-05'`,
        `insert into time_segments (timesheet_id, user_id, day, attendance_id, starts_at, ends_at, class, rule, rate, time_rule_id)
         select timesheet_id, user_id, day, attendance_id, starts_at + interval '12 hours', ends_at + interval '12 hours',
           class, rule, rate, time_rule_id from time_segments where day = '2025-03-05'`,
      ])
        expect(await refused(sheets, sql), sql).toBe(
          'PT409 The period March 1 to 31, 2025 is locked.',
        );
    }));

  test('is billed by the next draft of its month, beside the issued invoice', () =>
    late({ shifts: WEEK }, async ({ send, approve, bill, unbilled, one }) => {
      expect(await bill()).toEqual(['regular 12 24.00']);
      await send(5, '06:00', '18:00');
      await approve();
      expect(await unbilled()).toEqual(['not_drafted 720']);
      expect(await bill()).toEqual(['regular 12 24.00']);
      expect(await unbilled()).toEqual([]);
      expect(
        await one(
          `select sum(minutes) from billed_time where user_id = '${guardHere.id}' and freed_at is null`,
        ),
      ).toBe('1440');
    }));

  test('takes the credit for its gap back from the client, as far as it covers the gap, once', () =>
    late(
      {
        shifts: [...WEEK, '6 06:00-18:00 | -'],
        terms: { basis: 'fixed', monthly_amount: 360 },
      },
      async ({ send, approve, bill }) => {
        expect(await bill()).toEqual(['fixed 1 360.00', 'gap_credit -24 -240.00']);
        await send(5, '09:00', '18:00');
        await approve();
        expect(await bill('2025-04-01', '2025-04-15')).toEqual(['settlement 9 90.00']);
        expect(await bill('2025-04-16', '2025-04-20')).toEqual([]);
        await send(6, '06:00', '18:00');
        await approve();
        expect(await bill('2025-04-16', '2025-04-20')).toEqual(['settlement 12 120.00']);
      },
    ));

  test('is not billed on top of a minimum that was filled up without it', () =>
    late(
      { shifts: WEEK, terms: { basis: 'minimum', minimum_hours: 20, gap_credit: 'none' } },
      async ({ send, approve, bill }) => {
        expect(await bill()).toEqual(['regular 12 24.00', 'minimum 8 16.00']);
        await send(5, '06:00', '18:00');
        await approve();
        expect(await bill()).toEqual(['regular 12 24.00', 'settlement -8 -16.00']);
        expect(await bill('2025-04-01', '2025-04-20')).toEqual([]);
      },
    ));

  test('counts in the margin as worked and as paid', () =>
    late({ shifts: WEEK }, async ({ sheets, send, approve }) => {
      const worked = () =>
        as(sheets, finance, `select worked_minutes, paid_minutes from margin_hours(${MONTH}, $1)`, [
          sheets.site,
        ]);
      expect(await worked()).toEqual([{ worked_minutes: '720', paid_minutes: '720' }]);
      await send(5, '06:00', '18:00');
      await approve();
      expect(await worked()).toEqual([{ worked_minutes: '1440', paid_minutes: '1440' }]);
    }));

  test('waits for its clock-out', () =>
    late({ shifts: WEEK }, async ({ sheets, one }) => {
      const assignment = await one(
        `select id from assignments where user_id = $1 and starts_at::date = '2025-03-05'`,
        [sheets.person],
      );
      await sheets.client.query(LATE, [
        sheets.person,
        crypto.randomUUID(),
        'in',
        assignment,
        at(5, '06:00'),
      ]);
      expect(
        await refused(sheets, `select decide_adjustment(id, true) from pay_adjustments`, [], admin),
      ).toContain('have not both arrived');
    }));
});

describe('a night across the end of the month that arrives late', () => {
  const NIGHT = ['3 06:00-18:00', '31 18:00-06:00 | -'];

  test('is an adjustment of what is locked, and hours of the month that is open', () =>
    late({ shifts: NIGHT, until: 32 }, async ({ sheets, send, approve, paid }) => {
      await send(31, '18:00', '06:00');
      expect(await approve()).toMatchObject({ amount: '6.00' });
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
    }));

  test('is a correction of the next month, too, if that is locked', () =>
    late(
      { shifts: [...NIGHT, '34 06:00-18:00'], until: 34 },
      async ({ sheets, send, approve, paid, one }) => {
        await lockRun(sheets, '2025-04-01');
        await send(31, '18:00', '06:00');
        expect(await approve()).toMatchObject({ amount: '6.00' });
        expect(
          await one(
            `select concat_ws(' ', kind, period_start, amount) from pay_adjustments where status = 'to_decide'`,
          ),
        ).toBe('correction 2025-04-01 6.00');
        await as(
          sheets,
          admin,
          `select decide_adjustment(id, true) from pay_adjustments where kind = 'correction'`,
        );
        await lockRun(sheets, '2025-05-01');
        expect(await paid()).toBe('36.00');
      },
    ));
});
