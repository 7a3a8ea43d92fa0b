// Approved leave and holidays in a timesheet, as a table of months.
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

const standardDays = (days: number[], kind = 'leave_paid'): string[] =>
  days.map((day) => `${day} 08:00-16:00 ${kind}`);

describe('leave', () => {
  const cases: Case[] = [
    [
      'without planned shifts is standard days, but not on Sunday',
      { leave: ['annual 7-10'] },
      standardDays([7, 8, 10]),
    ],
    [
      'with a planned shift is that shift',
      { leave: ['annual 4-4'], shifts: ['4 06:00-18:00 | -'] },
      ['4 06:00-18:00 leave_paid'],
    ],
    [
      'in the middle of a week counts no overtime',
      {
        leave: ['annual 5-5'],
        shifts: [
          '3 06:00-18:00',
          '4 06:00-18:00',
          '5 06:00-18:00 | -',
          '6 06:00-18:00',
          '7 06:00-18:00',
        ],
      },
      [
        '3 06:00-18:00 regular',
        '4 06:00-18:00 regular',
        '5 06:00-18:00 leave_paid',
        '6 06:00-18:00 regular',
        '7 06:00-18:00 regular',
      ],
    ],
    [
      'takes its day’s part of a night shift; the rest is neither leave nor missing',
      { leave: ['annual 4-4'], shifts: ['3 18:00-06:00 | -'] },
      ['4 00:00-06:00 leave_paid'],
    ],
    [
      'that was worked after all pays the work, and the rest as leave',
      { leave: ['annual 4-4'], shifts: ['4 06:00-18:00 | 06:00-10:00'] },
      ['4 06:00-10:00 regular', '4 10:00-18:00 leave_paid'],
    ],
    ['without pay is unpaid', { leave: ['unpaid 4-5'] }, standardDays([4, 5], 'leave_unpaid')],
    ['of fathers is unpaid', { leave: ['paternity 4-4'] }, standardDays([4], 'leave_unpaid')],
    [
      'for sickness is paid ten days a year',
      { leave: ['sick 3-15'] },
      [
        ...standardDays([3, 4, 5, 6, 7, 8, 10, 11, 12, 13]),
        ...standardDays([14, 15], 'leave_unpaid'),
      ],
    ],
    [
      'for sickness counts the days of earlier months of the year',
      { leave: ['sick -27--18', 'sick 3-5'] },
      [...standardDays([3, 4]), ...standardDays([5], 'leave_unpaid')],
    ],
    [
      'for sickness starts again each year',
      { leave: ['sick -80--66', 'sick 3-3'] },
      standardDays([3]),
    ],
    [
      'on a holiday without a shift takes nothing',
      { leave: ['annual 13-14'], holidays: ['13 Test'] },
      standardDays([14]),
    ],
    [
      'of two requests on one day counts once',
      { leave: ['annual 4-5', 'sick 5-6'] },
      standardDays([4, 5, 6]),
    ],
    [
      'for sickness takes its day of annual leave, and counts as sickness',
      { leave: ['sick -27--18', 'sick 3-4', 'annual 5-7', 'sick 6-6'] },
      [...standardDays([3, 4, 5]), ...standardDays([6], 'leave_unpaid'), ...standardDays([7])],
    ],
    [
      'keeps to the weekdays of the rules',
      { leave: ['annual 7-10'], rules: `leave_weekdays = '{7}', standard_day_minutes = 1200` },
      ['9 04:00-00:00 leave_paid'],
    ],
  ];
  test.each(cases)('%s', (...one) => check(one));
});

describe('a holiday', () => {
  const cases: Case[] = [
    [
      'is paid as such',
      { shifts: ['14 06:00-18:00'], holidays: ['14 Test'] },
      ['14 06:00-18:00 holiday'],
    ],
    [
      'at night ends at midnight',
      { shifts: ['14 18:00-06:00'], holidays: ['14 Test'] },
      ['14 18:00-00:00 holiday', '15 00:00-06:00 night'],
    ],
    [
      'is above overtime and counts towards the week',
      {
        shifts: [
          '10 06:00-18:00',
          '11 06:00-18:00',
          '12 06:00-18:00',
          '13 06:00-20:00 | 06:00-20:00',
          '14 06:00-08:00',
        ],
        holidays: ['13 Test'],
      },
      [
        '10 06:00-18:00 regular',
        '11 06:00-18:00 regular',
        '12 06:00-18:00 regular',
        '13 06:00-20:00 holiday',
        '14 06:00-08:00 overtime_1 week_limit',
      ],
    ],
    [
      'of the public calendar on which the company works is a day like any other',
      { shifts: ['14 06:00-18:00'], holidays: ['14 Test', '14 works'] },
      ['14 06:00-18:00 regular'],
    ],
    [
      'does not pay what was not approved',
      { shifts: ['14 06:00-14:00 | 05:00-14:00'], holidays: ['14 Test'] },
      ['14 05:00-06:00 unpaid early_arrival', '14 06:00-14:00 holiday'],
    ],
  ];
  test.each(cases)('%s', (...one) => check(one));
});
