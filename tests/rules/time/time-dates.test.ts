// Breaks, rounding, dated rules, zones and pay periods, as a table of months, and the sentences about differences.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { type Hours, withHours } from '#tests/support/timesheets.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; delete from timesheets`);
});

type Case = [title: string, hours: Hours, segments: string[], notes?: string[]];

const check = ([, hours, segments, notes = []]: Case): Promise<void> =>
  withHours(database.owner, scene.sites.here, hours, async (sheets) => {
    expect({ segments: await sheets.segments(), notes: await sheets.notes() }).toEqual({
      segments,
      notes,
    });
  });

describe('breaks and rounding', () => {
  const cases: Case[] = [
    [
      'an unpaid break begins after five hours of paid work',
      { shifts: ['3 06:00-18:00 | 05:30-18:00'], rules: 'break_paid = false' },
      [
        '3 05:30-06:00 unpaid early_arrival',
        '3 06:00-11:00 regular',
        '3 11:00-12:00 unpaid break',
        '3 12:00-18:00 regular',
      ],
    ],
    [
      'an unpaid break ends with the work',
      { shifts: ['3 06:00-11:20'], rules: 'break_paid = false' },
      ['3 06:00-11:00 regular', '3 11:00-11:20 unpaid break'],
    ],
    [
      'an unpaid break may cross midnight',
      { shifts: ['3 18:30-04:00'], rules: 'break_paid = false' },
      [
        '3 18:30-22:00 regular',
        '3 22:00-23:30 night',
        '3 23:30-00:00 unpaid break',
        '4 00:00-00:30 unpaid break',
        '4 00:30-04:00 night',
      ],
    ],
    [
      'a break leaves the week shorter',
      { shifts: [3, 4, 5, 6, 7].map((day) => `${day} 08:00-18:00`), rules: 'break_paid = false' },
      [3, 4, 5, 6, 7].flatMap((day) => [
        `${day} 08:00-13:00 regular`,
        `${day} 13:00-14:00 unpaid break`,
        `${day} 14:00-18:00 regular`,
      ]),
    ],
    [
      'rounding to the nearest quarter credits minutes',
      { shifts: ['3 06:00-18:00 | 06:00-17:53'], rules: 'round_to_minutes = 15' },
      ['3 06:00-17:53 regular'],
      ['3: missing 7, credited 7'],
    ],
    [
      'rounding down takes minutes',
      {
        shifts: ['3 06:00-14:00 | 06:00-14:14'],
        rules: `round_to_minutes = 15, round_mode = 'down'`,
      },
      ['3 06:00-14:14 regular'],
      ['3: credited -14'],
    ],
    [
      'rounding up comes after the grace',
      {
        shifts: ['3 06:00-14:00 | 06:04-14:01'],
        rules: `round_to_minutes = 10, round_mode = 'up'`,
      },
      ['3 06:04-14:01 regular'],
      ['3: credited 13'],
    ],
  ];
  test.each(cases)('%s', (...one) => check(one));
});

describe('dates', () => {
  const cases: Case[] = [
    [
      'new rules judge the days from theirs on, in the middle of a shift',
      {
        shifts: ['16 20:00-08:00'],
        laterRules: [[17, `night_start = '00:00', night_end = '04:00'`]],
      },
      [
        '16 20:00-22:00 regular',
        '16 22:00-00:00 night',
        '17 00:00-04:00 night',
        '17 04:00-08:00 regular',
      ],
    ],
    [
      'a new week limit counts what was worked before it',
      { shifts: ['10 08:00-18:00', '11 08:00-18:00'], laterRules: [[11, 'week_minutes = 900']] },
      ['10 08:00-18:00 regular', '11 08:00-13:00 regular', '11 13:00-18:00 overtime_1 week_limit'],
    ],
    [
      'days begin in the company’s zone',
      { shifts: ['3 20:00-04:00'], zone: 'Asia/Kolkata' },
      ['3 20:00-22:00 regular', '3 22:00-00:00 night', '4 00:00-04:00 night'],
    ],
    [
      'a night in which the clocks go forward has an hour less',
      { shifts: ['8 22:00-06:00'], zone: 'America/New_York' },
      ['8 22:00-00:00 night', '9 00:00-06:00 night'],
    ],
    [
      'a night across the end of the month is in both months',
      { shifts: ['31 18:00-06:00'] },
      ['31 18:00-22:00 regular', '31 22:00-00:00 night', '32 00:00-06:00 night'],
    ],
    [
      'an early arrival on the day before a new month is of the old one',
      { shifts: ['32 00:00-06:00 | 23:50-06:00'] },
      ['31 23:50-00:00 unpaid early_arrival', '32 00:00-06:00 night'],
    ],
  ];
  test.each(cases)('%s', (...one) => check(one));

  test('the hour that the clocks skip is not paid', () =>
    withHours(
      database.owner,
      scene.sites.here,
      { shifts: ['8 22:00-06:00'], zone: 'America/New_York' },
      async ({ client, person }) => {
        const { rows } = await client.query(
          'select night_minutes, missing_minutes from timesheets where user_id = $1',
          [person],
        );
        expect(rows).toEqual([{ night_minutes: 420, missing_minutes: 0 }]);
      },
    ));

  test.each([
    ['monthly', ['2025-03-01 2025-03-31']],
    ['weekly', ['2025-03-10 2025-03-16', '2025-03-17 2025-03-23']],
    ['bi-weekly', ['2025-03-03 2025-03-16', '2025-03-17 2025-03-30']],
  ] as const)('a person who is paid %s has timesheets of these periods', (payment, periods) =>
    withHours(
      database.owner,
      scene.sites.here,
      { shifts: ['10 06:00-18:00', '20 06:00-18:00'], payment },
      async ({ client, person }) => {
        const { rows } = await client.query<{ period: string }>(
          `select period_start || ' ' || period_end as period from timesheets
           where user_id = $1 and period_start < '2026-01-01' order by 1`,
          [person],
        );
        expect(rows.map(({ period }) => period)).toEqual(periods);
      },
    ),
  );

  test('a person who is paid weekly from now on keeps the month that has been computed', () =>
    withHours(database.owner, scene.sites.here, { shifts: ['31 06:00-18:00'] }, async (sheets) => {
      const { client, person } = sheets;
      await client.query(`update staff set payment_frequency = 'weekly' where user_id = $1`, [
        person,
      ]);
      await sheets.work('34 06:00-18:00');
      const { rows } = await client.query<{ period: string }>(
        `select period_start || ' ' || period_end as period from timesheets
           where user_id = $1 and period_start < '2026-01-01' order by 1`,
        [person],
      );
      expect(rows.map(({ period }) => period)).toEqual([
        '2025-03-01 2025-03-31',
        '2025-04-01 2025-04-06',
      ]);
    }));
});

test('each difference has a sentence', () =>
  withHours(
    database.owner,
    scene.sites.here,
    {
      shifts: [
        '3 06:00-18:00 | 05:22-19:05',
        '5 06:00-18:00 | 06:38-17:00',
        '6 06:00-18:00 | 06:03-18:00',
      ],
      holidays: ['6 Decoration'],
      leave: ['sick 7-7'],
    },
    async (sheets) => {
      expect(await sheets.sentences(3)).toEqual([
        'Clocked in 38 min before the shift; early arrival is not paid unless approved.',
        'Stayed 1 h 5 min after the shift; it is paid unless it is refused.',
        '1 h 5 min beyond 12 h a day are overtime at 1.5 times the rate.',
      ]);
      expect(await sheets.sentences(5)).toEqual([
        'Clocked in 38 min late.',
        'Clocked out 1 h before the end of the shift.',
        '1 h 38 min were planned, but not worked and not on leave.',
      ]);
      expect(await sheets.sentences(6)).toEqual([
        'Clocked in 3 min late, within the 5 min that count as on time.',
        'Decoration: 11 h 57 min at 2 times the rate.',
      ]);
      expect(await sheets.sentences(7)).toEqual(['Sick leave: 8 h paid.']);
    },
  ));

test('a guard due before midnight on Sunday who comes just after it is on time, also when that week is computed alone', () =>
  withHours(
    database.owner,
    scene.sites.here,
    { shifts: ['16 23:57-08:00 | 00:00-08:00'] },
    async (sheets) => {
      await sheets.client.query('select private.compute_time(array[$1]::uuid[], $2, $2)', [
        sheets.person,
        '2025-03-16',
      ]);
      expect(await sheets.sentences(16)).toEqual([
        'Clocked in 3 min late, within the 5 min that count as on time.',
      ]);
      expect(await sheets.notes()).toEqual(['16: credited 3']);
    },
  ));

test('a guard who stays on past midnight on Sunday has stayed on, also when the new week is computed alone', () =>
  withHours(
    database.owner,
    scene.sites.here,
    // 48 hours until the end of Sunday's shift: staying on until midnight is overtime, after it a new week begins.
    {
      shifts: [
        ...[11, 12, 13].map((day) => `${day} 06:00-18:00`),
        '14 06:00-13:00',
        '16 18:00-23:00 | 18:00-00:30',
      ],
    },
    async (sheets) => {
      const stayed = ['17: stayed_on'];
      expect(await sheets.notes()).toEqual(stayed);
      await sheets.client.query('select private.compute_time(array[$1]::uuid[], $2, $2)', [
        sheets.person,
        '2025-03-17',
      ]);
      expect(await sheets.notes()).toEqual(stayed);
    },
  ));
