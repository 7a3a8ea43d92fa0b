// How attendance and leave are classified, minute by minute, as a table of weeks.
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

/** @param days for example 3-8 */
const everyDay = (days: string, times: string): string[] => {
  const [first = 0, last = 0] = days.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, i) => `${first + i} ${times}`);
};

type Case = [title: string, hours: Hours, segments: string[], notes?: string[]];

const check = ([, hours, segments, notes = []]: Case): Promise<void> =>
  withHours(database.owner, scene.sites.here, hours, async (sheets) => {
    expect({ segments: await sheets.segments(), notes: await sheets.notes() }).toEqual({
      segments,
      notes,
    });
  });

describe('a shift', () => {
  const cases: Case[] = [
    ['as planned is regular', { shifts: ['3 06:00-18:00'] }, ['3 06:00-18:00 regular']],
    [
      'at night is split at midnight and where the night begins and ends',
      { shifts: ['3 18:00-06:00'] },
      ['3 18:00-22:00 regular', '3 22:00-00:00 night', '4 00:00-06:00 night'],
    ],
    [
      'that ends in the night is night from its beginning',
      { shifts: ['3 14:00-23:30'] },
      ['3 14:00-22:00 regular', '3 22:00-23:30 night'],
    ],
    [
      'around the end of the night',
      { shifts: ['3 02:00-10:00'] },
      ['3 02:00-06:00 night', '3 06:00-10:00 regular'],
    ],
    [
      'with a night that does not cross midnight',
      { shifts: ['3 00:00-08:00'], rules: `night_start = '01:00', night_end = '05:00'` },
      ['3 00:00-01:00 regular', '3 01:00-05:00 night', '3 05:00-08:00 regular'],
    ],
    [
      'without a night, if it begins when it ends',
      { shifts: ['3 18:00-06:00'], rules: `night_start = '06:00', night_end = '06:00'` },
      ['3 18:00-00:00 regular', '4 00:00-06:00 regular'],
    ],
    [
      'of two on one day share its limit',
      { shifts: ['3 00:00-08:00', '3 12:00-20:00'] },
      [
        '3 00:00-06:00 night',
        '3 06:00-08:00 regular',
        '3 12:00-16:00 regular',
        '3 16:00-20:00 overtime_1 day_limit',
      ],
    ],
    [
      'of 24 hours has overtime after 12 on the first day only',
      { shifts: ['3 06:00-06:00'] },
      ['3 06:00-18:00 regular', '3 18:00-00:00 overtime_1 day_limit', '4 00:00-06:00 night'],
    ],
    [
      'counts each minute: one late is credited, one left early is missing',
      { shifts: ['3 06:00-18:00 | 06:01-17:59'] },
      ['3 06:01-17:59 regular'],
      ['3: missing 1, credited 1'],
    ],
    [
      'with two records that overlap counts the common time once',
      {
        shifts: ['3 06:00-10:00 | 06:00-11:00', '3 10:00-14:00'],
        rules: 'stay_tolerance_minutes = 60',
      },
      ['3 06:00-11:00 regular', '3 11:00-14:00 regular'],
    ],
  ];
  test.each(cases)('%s', (...one) => check(one));
});

describe('attendance outside the plan', () => {
  const cases: Case[] = [
    [
      'before the shift is unpaid',
      { shifts: ['3 06:00-18:00 | 05:22-18:00'] },
      ['3 05:22-06:00 unpaid early_arrival', '3 06:00-18:00 regular'],
    ],
    [
      'before the shift is paid once approved',
      { shifts: ['3 06:00-14:00 | 05:22-14:00'], decisions: ['3 early_arrival yes'] },
      ['3 05:22-06:00 night', '3 06:00-14:00 regular'],
    ],
    [
      'before the shift stays unpaid when refused',
      { shifts: ['3 06:00-14:00 | 05:22-14:00'], decisions: ['3 early_arrival no'] },
      ['3 05:22-06:00 unpaid early_arrival', '3 06:00-14:00 regular'],
    ],
    [
      'before a shift that starts at midnight lies on the day before',
      { shifts: ['3 00:00-08:00 | 23:48-08:00'] },
      ['2 23:48-00:00 unpaid early_arrival', '3 00:00-06:00 night', '3 06:00-08:00 regular'],
    ],
    [
      'a few minutes after the shift are paid without a decision',
      { shifts: ['3 06:00-14:00 | 06:00-14:15'] },
      ['3 06:00-14:15 regular'],
    ],
    [
      'longer after the shift is paid, and to decide',
      { shifts: ['3 06:00-14:00 | 06:00-14:16'] },
      ['3 06:00-14:16 regular'],
      ['3: stayed_on'],
    ],
    [
      'after the shift is settled once approved',
      { shifts: ['3 06:00-14:00 | 06:00-15:00'], decisions: ['3 stayed_on yes'] },
      ['3 06:00-15:00 regular'],
    ],
    [
      'after the shift is unpaid once refused',
      { shifts: ['3 06:00-14:00 | 06:00-15:00'], decisions: ['3 stayed_on no'] },
      ['3 06:00-14:00 regular', '3 14:00-15:00 unpaid not_approved'],
    ],
    [
      'beyond the day limit is overtime to decide',
      { shifts: ['3 06:00-18:00 | 06:00-19:00'] },
      ['3 06:00-18:00 regular', '3 18:00-19:00 overtime_1 day_limit'],
      ['3: overtime'],
    ],
    [
      'beyond the day limit is unpaid once the overtime is refused',
      { shifts: ['3 06:00-18:00 | 06:00-19:00'], decisions: ['3 overtime no'] },
      ['3 06:00-18:00 regular', '3 18:00-19:00 unpaid not_approved'],
    ],
    [
      'late within grace is credited',
      { shifts: ['3 06:00-18:00 | 06:05-18:00'] },
      ['3 06:05-18:00 regular'],
      ['3: credited 5'],
    ],
    [
      'late beyond grace is missing from the first minute',
      { shifts: ['3 06:00-18:00 | 06:06-18:00'] },
      ['3 06:06-18:00 regular'],
      ['3: missing 6'],
    ],
    [
      'left early is missing',
      { shifts: ['3 06:00-18:00 | 06:00-17:20'] },
      ['3 06:00-17:20 regular'],
      ['3: missing 40'],
    ],
    [
      'left early before midnight is missing on both days',
      { shifts: ['3 18:00-06:00 | 18:00-23:00'] },
      ['3 18:00-22:00 regular', '3 22:00-23:00 night'],
      ['3: missing 60', '4: missing 360'],
    ],
    [
      'none at all is missing, and to solve',
      { shifts: ['3 06:00-18:00 | -'] },
      [],
      ['3: missing 720, missing_clock_in'],
    ],
    [
      'without a clock-out makes no segments',
      { shifts: ['3 06:00-18:00 | 06:10-'] },
      [],
      ['3: missing 10, missing_clock_out'],
    ],
  ];
  test.each(cases)('%s', (...one) => check(one));
});

describe('a week', () => {
  const cases: Case[] = [
    [
      'has overtime after 48 hours',
      { shifts: everyDay('3-7', '08:00-18:00') },
      [
        ...everyDay('3-6', '08:00-18:00 regular'),
        '7 08:00-16:00 regular',
        '7 16:00-18:00 overtime_1 week_limit',
      ],
    ],
    [
      'ends on Sunday at midnight',
      { shifts: [...everyDay('4-7', '06:00-18:00'), '9 18:00-06:00'] },
      [
        ...everyDay('4-7', '06:00-18:00 regular'),
        '9 18:00-00:00 overtime_1 week_limit',
        '10 00:00-06:00 night',
      ],
    ],
    [
      'crosses the end of the month, and each minute belongs to its own month',
      { shifts: everyDay('31-35', '08:00-18:00') },
      [
        ...everyDay('31-34', '08:00-18:00 regular'),
        '35 08:00-16:00 regular',
        '35 16:00-18:00 overtime_1 week_limit',
      ],
    ],
    [
      'does not count minutes beyond the day limit twice',
      { shifts: [...everyDay('3-5', '06:00-20:00'), '6 06:00-18:00', '7 06:00-07:00'] },
      [
        ...[3, 4, 5].flatMap((day) => [
          `${day} 06:00-18:00 regular`,
          `${day} 18:00-20:00 overtime_1 day_limit`,
        ]),
        '6 06:00-18:00 regular',
        '7 06:00-07:00 overtime_1 week_limit',
      ],
    ],
    [
      'has a second tier, if the rules have one',
      { shifts: everyDay('3-8', '06:00-18:00'), rules: 'overtime_2_after_minutes = 900' },
      [
        ...everyDay('3-6', '06:00-18:00 regular'),
        '7 06:00-18:00 overtime_1 week_limit',
        '8 06:00-09:00 overtime_1 week_limit',
        '8 09:00-18:00 overtime_2 week_limit',
      ],
    ],
    [
      'in which work begins on seven days has a rest day',
      { shifts: everyDay('3-9', '08:00-12:00') },
      [...everyDay('3-8', '08:00-12:00 regular'), '9 08:00-12:00 overtime_1 rest_day'],
    ],
    [
      'of six nights has no rest day, although seven days are touched',
      { shifts: everyDay('3-8', '20:00-00:30') },
      [3, 4, 5, 6, 7, 8].flatMap((day) => [
        `${day} 20:00-22:00 regular`,
        `${day} 22:00-00:00 night`,
        `${day + 1} 00:00-00:30 night`,
      ]),
    ],
    [
      'pays the rest day as the rules say',
      { shifts: everyDay('3-9', '08:00-12:00'), rules: `rest_day_class = 'overtime_2'` },
      [...everyDay('3-8', '08:00-12:00 regular'), '9 08:00-12:00 overtime_2 rest_day'],
    ],
    [
      'has no rest day, if the rules say so',
      { shifts: everyDay('3-9', '08:00-12:00'), rules: `rest_day_class = 'none'` },
      everyDay('3-9', '08:00-12:00 regular'),
    ],
  ];
  test.each(cases)('%s', (...one) => check(one));
});
