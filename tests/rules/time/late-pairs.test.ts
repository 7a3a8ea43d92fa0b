// Who clocks out and in again within a shift, and sends it after the period was locked, has two records; and who was not paid
// by the run of those days loses no event.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  at,
  LATE,
  type Late,
  lateStory,
  lockRun,
  type Month,
  NOTHING_YET,
  STATE,
  WEEK,
} from '#tests/support/late-story.ts';
import { admin, finance } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { as } from '#tests/support/timesheets.ts';

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

describe('a late event', () => {
  test.each([
    ['once both pairs have arrived', false],
    ['between the pairs', true],
  ])(
    'of two pairs of events is two records with the break between them, decided %s',
    (_, isFirst) =>
      late({ shifts: WEEK }, async (told) => {
        const { sheets, one, send, approve, coverage, unbilled, paid, bill } = told;
        await send(5, '06:00', '10:00');
        if (isFirst) await approve();
        await send(5, '14:00', '18:00');
        if (!isFirst) await approve();
        expect(await approve()).toMatchObject({ status: 'approved', minutes: 240, amount: '4.00' });
        expect(
          await one(
            `select string_agg(to_char(clock_in_at at time zone 'UTC', 'HH24') || to_char(clock_out_at at time zone 'UTC', '-HH24'), ' '
             order by clock_in_at) from attendance where clock_in_at::date = '2025-03-05'`,
          ),
        ).toBe('06-10 14-18');
        expect(await one('select count(*) from clock_events where attendance_id is null')).toBe(
          '0',
        );
        expect([await coverage(), await unbilled(), await one(STATE)]).toEqual([
          '1440 1200 240',
          ['not_drafted 1200'],
          'completed out',
        ]);
        expect(await bill()).toEqual(['regular 20 40.00']);
        await lockRun(sheets, '2025-04-01');
        expect(await paid()).toBe('20.00');
      }),
  );

  test('of two pairs, confirmed by a second way, keeps the times of the first', () =>
    late({ shifts: WEEK }, async ({ sheets, one, send, approve, coverage }) => {
      const { client, person } = sheets;
      const assignment = await one(
        `select id from assignments where user_id = $1 and starts_at::date = '2025-03-05'`,
        [person],
      );
      const device = async (kind: string, time: string) => {
        await client.query(LATE.replace('phone', 'device'), [
          person,
          crypto.randomUUID(),
          kind,
          assignment,
          at(5, time),
        ]);
      };
      await send(5, '06:00', '10:00');
      await send(5, '14:00', '18:00');
      await device('in', '06:02');
      await device('out', '10:03');
      await device('in', '14:01');
      await device('out', '17:58');
      await approve();
      await approve();
      expect([await coverage(), await one('select count(*) from pay_adjustments')]).toEqual([
        '1440 1200 240',
        '2',
      ]);
    }));

  test('of a record that is open closes it at its own clock-out, before the second pair', () =>
    late(
      { shifts: ['3 06:00-18:00', '5 06:00-18:00 | 06:00-'] },
      async ({ sheets, one, send, coverage, unbilled }) => {
        const open = await one('select id from attendance where clock_out_at is null');
        await sheets.client.query(LATE.replace('null, now()', '$6, now()'), [
          sheets.person,
          crypto.randomUUID(),
          'out',
          await one('select assignment_id from attendance where id = $1', [open]),
          at(5, '10:00'),
          open,
        ]);
        await send(5, '14:00', '18:00');
        for (const hour of ['10', '18'])
          await as(
            sheets,
            admin,
            `select decide_adjustment(id, true) from pay_adjustments
             where to_char((details ->> 'clock_out_at')::timestamptz at time zone 'UTC', 'HH24') = $1`,
            [hour],
          );
        expect([await coverage(), await unbilled()]).toEqual([
          '1440 1200 240',
          ['not_drafted 1200'],
        ]);
      },
    ));

  test('of a guard whom the locked run of its days did not pay is hours of the open timesheet', () =>
    late(
      { shifts: ['5 06:00-18:00 | -'] },
      async ({ sheets, one, run, send, approve, coverage, unbilled, paid }) => {
        expect(await one(`select count(*) from payslips where user_id = $1`, [sheets.person])).toBe(
          '0',
        );
        await send(5, '06:00', '10:00');
        await send(5, '14:00', '18:00');
        expect(
          await one(
            `select string_agg(concat_ws(' ', status, period_start, minutes), ', ') from pay_adjustments`,
          ),
        ).toBe('to_decide 2025-03-01 240, to_decide 2025-03-01 240');
        await approve();
        expect(await approve()).toMatchObject({ status: 'superseded', amount: null });
        expect([
          await coverage(),
          await unbilled(),
          await one(`select regular_minutes from timesheets where period_start = '2025-03-01'`),
        ]).toEqual(['720 480 240', ['not_approved 480'], 480]);
        await sheets.client.query(
          `update timesheets set status = 'approved' where period_start = '2025-03-01'`,
        );
        await as(sheets, finance, 'select propose_corrections($1)', [run]);
        await as(
          sheets,
          admin,
          `select decide_adjustment(id, true) from pay_adjustments where kind = 'correction'`,
        );
        await lockRun(sheets, '2025-04-01');
        expect([await paid(), await unbilled()]).toEqual(['8.00', ['not_drafted 480']]);
        expect(await as(sheets, finance, 'select propose_corrections($1) as count', [run])).toEqual(
          [{ count: 0 }],
        );
      },
    ));
});
