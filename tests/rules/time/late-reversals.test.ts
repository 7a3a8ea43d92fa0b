// Approved late events after the approval is reverted, a pay run is voided, or a raise is corrected.
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
import { numbers } from '#tests/support/numbers.ts';
import { admin, finance } from '#tests/support/people.ts';
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

describe('an approval that is reverted', () => {
  test('takes the attendance with it, and can be given again', () =>
    late({ shifts: WEEK }, async ({ send, approve, reject, coverage, unbilled, one }) => {
      const before = await one(STATE);
      await send(5, '06:00', '18:00');
      await approve();
      await reject();
      expect([await one(STATE), await coverage(), await unbilled()]).toEqual([
        before,
        '1440 720 720',
        ['not_drafted 720'],
      ]);
      expect(await approve()).toMatchObject({ status: 'approved', amount: '12.00' });
      expect([await coverage(), await unbilled()]).toEqual(['1440 1440 0', ['not_drafted 1440']]);
    }));

  test.each([
    ['first', 'asc'],
    ['second', 'desc'],
  ])('of two pairs leaves the other, and nothing with the %s of them reverted first', (_, order) =>
    late({ shifts: WEEK }, async ({ sheets, send, approve, coverage, one }) => {
      const before = await one(STATE);
      await send(5, '06:00', '10:00');
      await send(5, '14:00', '18:00');
      await approve();
      await approve();
      const takeBack = () =>
        as(
          sheets,
          admin,
          `select decide_adjustment(a.id, false) from (
             select id from pay_adjustments where status = 'approved' order by details ->> 'clock_in_at' ${order} limit 1) a`,
        );
      await takeBack();
      expect([await one(STATE), await coverage()]).toEqual(['completed out', '1440 960 480']);
      await takeBack();
      expect([await one(STATE), await coverage()]).toEqual([before, '1440 720 720']);
    }),
  );

  test('is refused once an issued invoice bills the hours, until that line is credited', () =>
    late({ shifts: WEEK }, async ({ sheets, contract, send, approve, bill, reject, one }) => {
      await send(5, '06:00', '18:00');
      await approve();
      await bill();
      expect(
        await refused(
          sheets,
          `select decide_adjustment(id, false) from pay_adjustments`,
          [],
          admin,
        ),
      ).toBe('PT409 An issued invoice bills these hours. Credit their line first.');
      await as(
        sheets,
        finance,
        `select credit_invoice(i.id, 'Wrong') from invoices i where i.contract_id = '${contract}'`,
      );
      await reject();
      expect(await one('select count(*) from attendance')).toBe('1');
    }));

  test('opens the record again that it had closed', () =>
    late(
      { shifts: ['3 06:00-18:00', '5 06:00-18:00 | 06:00-'] },
      async ({ sheets, one, approve, reject }) => {
        await sheets.client.query(LATE.replace('null, now()', '$6, now()'), [
          sheets.person,
          crypto.randomUUID(),
          'out',
          await one(`select assignment_id from attendance where clock_out_at is null`),
          at(5, '17:00'),
          await one(`select id from attendance where clock_out_at is null`),
        ]);
        expect(await approve()).toMatchObject({ amount: '11.00' });
        expect(
          await one(`select clock_out_at from attendance where clock_in_at::date = '2025-03-05'`),
        ).toEqual(new Date(at(5, '17:00')));
        await reject();
        expect(
          await one(`select clock_out_at from attendance where clock_in_at::date = '2025-03-05'`),
        ).toBeNull();
      },
    ));
});

describe('a void', () => {
  test('of the run that paid the adjustment leaves it to the next one, and the attendance as it is', () =>
    late({ shifts: WEEK }, async ({ sheets, send, approve, coverage, paid }) => {
      await send(5, '06:00', '18:00');
      await approve();
      const april = await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
      await as(sheets, finance, `select void_pay_run($1, 'Wrong')`, [april]);
      expect([await paid(), await coverage()]).toEqual(['12.00', '1440 1440 0']);
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
    }));

  test('of the run of its days makes it hours of that month, which are paid once', () =>
    late(
      { shifts: WEEK },
      async ({ sheets, run, send, approve, coverage, unbilled, paid, one }) => {
        await send(5, '06:00', '18:00');
        await approve();
        await as(sheets, finance, `select void_pay_run($1, 'Wrong')`, [run]);
        expect(await one('select status from pay_adjustments')).toBe('superseded');
        expect(
          await one(`select regular_minutes from timesheets where period_start = '2025-03-01'`),
        ).toBe(1440);
        expect(await coverage()).toBe('1440 1440 0');
        const again = await lockRun(sheets);
        expect([await paid(), await unbilled()]).toEqual(['24.00', ['not_drafted 1440']]);
        await lockRun(sheets, '2025-04-01');
        expect(await paid()).toBe('24.00');
        expect(
          await as(sheets, finance, 'select propose_corrections($1) as count', [again]),
        ).toEqual([{ count: 0 }]);
      },
    ));

  test('of the run of its days is refused while a later one has paid it', () =>
    late({ shifts: WEEK }, async ({ sheets, run, send, approve }) => {
      await send(5, '06:00', '18:00');
      await approve();
      await lockRun(sheets, '2025-04-01');
      expect(await refused(sheets, `select void_pay_run('${run}', 'Wrong')`, [], finance)).toBe(
        'PT409 The pay run of April 2025 has paid corrections of this one. Void that run first.',
      );
    }));

  test('lets undecided events be approved as attendance of the open month', () =>
    late({ shifts: WEEK }, async ({ sheets, run, send, approve, paid, one }) => {
      await send(5, '06:00', '18:00');
      await as(sheets, finance, `select void_pay_run($1, 'Wrong')`, [run]);
      expect(await approve()).toMatchObject({ status: 'superseded', amount: null });
      expect(
        await one(`select regular_minutes from timesheets where period_start = '2025-03-01'`),
      ).toBe(1440);
      await lockRun(sheets);
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
    }));
});

test.each([
  ['before', true],
  ['after', false],
])('a raise that is corrected %s the late hours are approved pays both, once', (_, isFirst) =>
  late({ shifts: WEEK }, async ({ sheets, run, send, approve, paid }) => {
    const correct = async () => {
      await sheets.client.query('update pay_bases set amount = 1.5');
      await as(sheets, finance, 'select propose_corrections($1)', [run]);
      await as(
        sheets,
        admin,
        `select decide_adjustment(id, true) from pay_adjustments where kind = 'correction' and status = 'to_decide'`,
      );
    };
    await send(5, '06:00', '18:00');
    if (isFirst) await correct();
    await approve();
    if (!isFirst) await correct();
    await lockRun(sheets, '2025-04-01');
    expect(await paid()).toBe('36.00');
    expect(await as(sheets, finance, 'select propose_corrections($1) as count', [run])).toEqual([
      { count: 0 },
    ]);
  }),
);

/** 48 hours at US$1.00, and what is more at 1.50. */
const weekly = (hours: number): number => hours + Math.max(0, hours - 48) / 2;

test.each(Array.from({ length: 6 }, (_, index) => index + 1))(
  'in any order of locks, late events, decisions and voids each hour is paid once (%i)',
  (seed) => {
    const worked = [3, 4, 6, 33, 34, 35, 36, 63].map((day) => `${day} 06:00-18:00`);
    const shifts = [...worked, '5 06:00-18:00 | -', '7 06:00-18:00 | -', '31 18:00-06:00 | -'];
    return late({ shifts, until: 63 }, async ({ sheets, run: first, send, paid, coverage }) => {
      const next = numbers(seed * 7919);
      const runs = new Map([['2025-03-01', first]]);
      const waiting = [5, 7, 31];
      const sent: number[] = [];
      const lock = async (day: string) => {
        if (!runs.has(day)) runs.set(day, await lockRun(sheets, day));
      };
      const cancel = async (day: string) => {
        const run = runs.get(day);
        if (run === undefined) return;
        const answer = await refused(sheets, `select void_pay_run('${run}', 'Wrong')`, [], finance);
        if (answer === 'nothing was refused') runs.delete(day);
        else expect(answer).toContain('has paid corrections of this one');
      };
      /** @param isApproved false takes back what was approved, of late events alone */
      const decide = async (isApproved: boolean) => {
        const { rows } = await sheets.client.query<{ id: string }>(
          `select id from pay_adjustments where payslip_line_id is null and (kind = 'late_event' or $1)
             and case when $1 then status in ('to_decide', 'rejected') else status in ('to_decide', 'approved') end
           order by md5(id::text) limit 1`,
          [isApproved],
        );
        if (rows[0])
          await as(sheets, admin, 'select decide_adjustment($1, $2)', [rows[0].id, isApproved]);
        return rows.length > 0;
      };
      const propose = async () => {
        for (const run of runs.values())
          await as(sheets, finance, 'select propose_corrections($1)', [run]);
      };
      const steps: Record<string, () => Promise<unknown>> = {
        lockMarch: () => lock('2025-03-01'),
        lockApril: () => lock('2025-04-01'),
        voidMarch: () => cancel('2025-03-01'),
        voidApril: () => cancel('2025-04-01'),
        send: async () => {
          // Only of a period that is locked: else it is no late event.
          const day = waiting[0];
          if (day === undefined || !runs.has('2025-03-01')) return;
          waiting.shift();
          sent.push(day);
          if (day === 31) await send(31, '18:00', '06:00');
          else if (day === 7) {
            await send(7, '06:00', '11:00');
            await send(7, '13:00', '18:00');
          } else await send(day, '06:00', '18:00');
        },
        approve: () => decide(true),
        approveAnother: () => decide(true),
        reject: () => decide(false),
        propose,
      };
      const names = Object.keys(steps);
      const done: string[] = [];
      for (let count = 0; count < 24; count += 1) {
        const name = names[next(names.length)] ?? '';
        done.push(name);
        await steps[name]?.();
      }
      await lock('2025-03-01');
      await lock('2025-04-01');
      // A proposal can follow from a decision.
      for (let round = 0; round < 3; round += 1) {
        await propose();
        for (let more = true; more; ) more = await decide(true);
      }
      await lockRun(sheets, '2025-05-01');
      const week = (sent.includes(5) ? 12 : 0) + (sent.includes(7) ? 10 : 0);
      const night = sent.includes(31) ? 12 : 0;
      expect([await paid(), await coverage()], done.join(', ')).toEqual([
        (weekly(36 + week) + weekly(48 + night) + 12).toFixed(2),
        `4320 ${2160 + week * 60 + night * 60} ${2160 - week * 60 - night * 60}`,
      ]);
    });
  },
);
