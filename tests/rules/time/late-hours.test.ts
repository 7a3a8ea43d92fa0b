// What hours are worth that arrive after their period was locked: as much as if they had been known. March 2025, on
// US$1.00 an hour.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, finance, guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { as, refused, type Timesheets, withHours } from '#tests/support/timesheets.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; truncate staff, pay_runs, timesheets cascade`);
});

const OFFICE_WEEK = ['3 08:00-16:00', '4 08:00-16:00', '6 08:00-16:00', '7 08:00-16:00'];
const LATE = `select private.record_event_for($1, 'phone', null, null, $2, $3, $4, $5, $6, now())`;

interface Late {
  sheets: Timesheets;
  /** The assignment of March 5. */
  assignment: string;
  run: string;
  send: (kind: 'in' | 'out', at: string, id?: string, attendance?: string) => Promise<void>;
  adjustments: () => Promise<unknown[]>;
  decide: () => Promise<Record<string, unknown> | undefined>;
}

async function lockRun(sheets: Timesheets): Promise<string> {
  await sheets.client.query(`update timesheets set status = 'approved' where status = 'open'`);
  const [{ id } = {}] = await as(
    sheets,
    finance,
    `select create_pay_run('monthly', 'USD', '2025-03-01') as id`,
  );
  await as(sheets, finance, 'select calculate_pay_run($1)', [id]);
  await as(sheets, admin, 'select approve_pay_run($1)', [id]);
  await as(sheets, finance, 'select lock_pay_run($1)', [id]);
  return String(id);
}

const hireAt = ({ client, person }: Timesheets, basis: string, amount: number) =>
  client.query(
    `insert into staff (full_name, user_id, hire_date, pay_basis, salary_amount) values ('Guard', $1, '2024-01-01', $2, $3)`,
    [person, basis, amount],
  );

/** The admin approves the adjustment. */
const decideLate = async (sheets: Timesheets) =>
  (
    await as(
      sheets,
      admin,
      `select (decide_adjustment(id, true)).* from pay_adjustments where user_id = $1`,
      [sheets.person],
    )
  )[0];

/** A week of five days of eight hours, of which March 5 is as given, paid by a locked run. */
const story = (
  basis: string,
  amount: number,
  day: string,
  work: (late: Late) => Promise<void>,
  more: string[] = [],
): Promise<void> =>
  withHours(
    database.owner,
    scene.sites.here,
    { shifts: [...OFFICE_WEEK, day, ...more] },
    async (sheets) => {
      const { client, person } = sheets;
      await hireAt(sheets, basis, amount);
      const run = await lockRun(sheets);
      const { rows } = await client.query<{ id: string }>(
        `select id from assignments where user_id = $1 and starts_at::date = '2025-03-05'`,
        [person],
      );
      const assignment = rows[0]?.id ?? '';
      await work({
        sheets,
        assignment,
        run,
        send: async (kind, at, id = crypto.randomUUID(), attendance) => {
          await client.query(LATE, [
            person,
            id,
            kind,
            assignment,
            `2025-03-05T${at}Z`,
            attendance ?? null,
          ]);
        },
        adjustments: () =>
          as(
            sheets,
            finance,
            'select status, minutes, amount from pay_adjustments where user_id = $1',
            [person],
          ),
        decide: () => decideLate(sheets),
      });
    },
  );

describe('a whole shift that arrives late', () => {
  test.each([
    ['a salary gets back what was missing', 'salary', 208, '200.00', '208.00'],
    ['an hourly wage gets the hours, and the grace', 'hourly', 1, '32.00', '40.00'],
    ['pay by shift gets the shift', 'shift', 10, '40.00', '50.00'],
  ])('is worth what it would have been: %s', (_, basis, amount, before, after) =>
    story(basis, amount, '5 08:00-16:00 | -', async ({ send, adjustments, decide }) => {
      await send('in', '08:03');
      await send('out', '16:00');
      expect(await adjustments()).toMatchObject([{ status: 'to_decide', minutes: 477 }]);
      expect(await decide()).toMatchObject({ figure_before: before, figure_after: after });
    }),
  );

  test('counts towards the week like the others: what lies beyond 48 hours is overtime', () =>
    story(
      'hourly',
      1,
      '5 06:00-18:00 | -',
      async ({ send, decide }) => {
        await send('in', '06:00');
        await send('out', '18:00');
        // Of 52 hours, 4 are overtime.
        expect(await decide()).toMatchObject({ figure_before: '40.00', figure_after: '54.00' });
      },
      ['8 08:00-16:00'],
    ));
});

test.each([
  ['hourly', 1, '32.00', '38.00'],
  // Of its missing hours, the six of March 31.
  ['salary', 208, '194.00', '200.00'],
])(
  'a night across the end of the month that arrives late is worth its hours of that month: %s',
  (basis, amount, before, after) =>
    withHours(
      database.owner,
      scene.sites.here,
      { shifts: [...OFFICE_WEEK, '5 08:00-16:00 | -', '31 18:00-06:00 | -'] },
      async (sheets) => {
        await hireAt(sheets, basis, amount);
        await lockRun(sheets);
        const { rows } = await sheets.client.query<{ id: string }>(
          `select id from assignments where user_id = $1 and starts_at::date = '2025-03-31'`,
          [sheets.person],
        );
        for (const [kind, at] of [
          ['in', '2025-03-31T18:00Z'],
          ['out', '2025-04-01T06:00Z'],
        ])
          await sheets.client.query(LATE, [
            sheets.person,
            crypto.randomUUID(),
            kind,
            rows[0]?.id,
            at,
            null,
          ]);
        expect(await decideLate(sheets)).toMatchObject({
          // Those of April are in April's timesheet.
          minutes: 360,
          figure_before: before,
          figure_after: after,
        });
      },
    ),
);

test('a clock-out that arrives late for an open record is worth the hours since the clock-in, once', () =>
  story(
    'hourly',
    1,
    '5 08:00-16:00 | 08:00-',
    async ({ sheets, assignment, send, adjustments, decide }) => {
      const record = async () =>
        (
          await sheets.client.query<{ id: string; clock_out_at: Date | null }>(
            'select id, clock_out_at from attendance where assignment_id = $1',
            [assignment],
          )
        ).rows;
      const [open] = await record();
      const id = crypto.randomUUID();
      await send('out', '15:30', id, open?.id);
      await send('out', '15:30', id, open?.id);
      expect(await record()).toEqual([{ id: open?.id, clock_out_at: null }]);
      expect(await adjustments()).toEqual([{ status: 'to_decide', minutes: 450, amount: null }]);
      expect(await decide()).toMatchObject({
        figure_before: '32.00',
        figure_after: '39.50',
        amount: '7.50',
      });
    },
  ));

describe('voiding a locked run before its first payment', () => {
  test('opens its hours: facts change again, and the next run pays them', () =>
    story('hourly', 1, '5 08:00-16:00', async ({ sheets, run }) => {
      const leave = `update attendance set clock_out_at = clock_out_at - interval '1 hour'
        where clock_in_at::date = '2025-03-05'`;
      expect(await refused(sheets, leave)).toBe('PT409 The period March 1 to 31, 2025 is locked.');
      await as(sheets, finance, `select void_pay_run($1, 'Wrong clock-out')`, [run]);
      const state = async () =>
        (
          await sheets.client.query(
            `select status, pay_run_id, regular_minutes from timesheets where period_start < '2026-01-01'`,
          )
        ).rows;
      expect(await state()).toEqual([
        { status: 'approved', pay_run_id: null, regular_minutes: 2400 },
      ]);
      await sheets.client.query(leave);
      expect(await state()).toEqual([{ status: 'open', pay_run_id: null, regular_minutes: 2340 }]);
      const again = await lockRun(sheets);
      expect(
        await as(sheets, finance, 'select gross from payslips where pay_run_id = $1', [again]),
      ).toEqual([{ gross: '39.00' }]);
    }));

  test('leaves late hours to decide, for the run that takes its place if it is locked before', () =>
    story('hourly', 1, '5 08:00-16:00 | -', async ({ sheets, run, send, decide, adjustments }) => {
      await send('in', '08:00');
      await send('out', '16:00');
      await as(sheets, finance, `select void_pay_run($1, 'Wrong rate')`, [run]);
      await lockRun(sheets);
      expect(await decide()).toMatchObject({ figure_before: '32.00', figure_after: '40.00' });
      expect(await adjustments()).toEqual([{ status: 'approved', minutes: 480, amount: '8.00' }]);
    }));

  test('keeps hours locked that another run has paid too', () =>
    story('salary', 208, '5 08:00-16:00', async ({ sheets, run }) => {
      const { client } = sheets;
      await as(sheets, finance, `select void_pay_run($1, 'Second currency')`, [run]);
      await client.query(
        `insert into pay_bases (staff_id, effective_from, basis, amount, currency)
         select id, '2025-03-06', 'hourly', 200, 'LRD' from staff where user_id = $1`,
        [sheets.person],
      );
      const dollars = await lockRun(sheets);
      const [{ id: local } = {}] = await as(
        sheets,
        finance,
        `select create_pay_run('monthly', 'LRD', '2025-03-01') as id`,
      );
      await as(sheets, finance, 'select calculate_pay_run($1)', [local]);
      await as(sheets, admin, 'select approve_pay_run($1)', [local]);
      await as(sheets, finance, 'select lock_pay_run($1)', [local]);
      await as(sheets, finance, `select void_pay_run($1, 'Wrong rate')`, [dollars]);
      const state = async () =>
        (
          await client.query(
            `select status, pay_run_id from timesheets where period_start < '2026-01-01'`,
          )
        ).rows;
      expect(await state()).toEqual([{ status: 'locked', pay_run_id: local }]);
      await as(sheets, finance, `select void_pay_run($1, 'Wrong rate')`, [local]);
      expect(await state()).toEqual([{ status: 'approved', pay_run_id: null }]);
    }));
});
