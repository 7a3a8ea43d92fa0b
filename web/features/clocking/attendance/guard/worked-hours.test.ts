import { describe, expect, it } from 'vitest';
import type { WorkedShift } from './api.ts';
import {
  countMinutes,
  countOvertime,
  listExceptions,
  minutesThisWeek,
  sumTotals,
} from './worked-hours.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

type Clock = Partial<WorkedShift['attendance'][number]>;

/** A night shift of twelve hours from 6 PM, Monrovia time. */
function shiftOn(day: string, ...clocks: Clock[]): WorkedShift {
  const start = `${day}T18:00:00Z`;
  const end = new Date(Date.parse(start) + 12 * 3_600_000).toISOString();
  return {
    id: day,
    status: 'completed',
    shift: {
      start_time: start,
      end_time: end,
      site: { name: 'Freeport Gate', timezone: 'Africa/Monrovia' },
    },
    attendance: clocks.map((clock, index) => ({
      id: `${day} ${index}`,
      clock_in_at: start,
      clock_out_at: end,
      late_minutes: 0,
      early_minutes: 0,
      needs_review: false,
      flags: [],
      corrected_at: null,
      ...clock,
    })),
  };
}

describe('totals', () => {
  // The 1st is a Sunday; the last night of October ends in November.
  const shifts = [shiftOn('2026-11-02', {}), shiftOn('2026-11-01', {}), shiftOn('2026-10-31', {})];

  it('count a night shift in the month it begins in', () => {
    const months = sumTotals(shifts, 'month', NOW);
    expect(months.map(({ start, minutes }) => [start, minutes])).toEqual([
      ['2026-11-01', 1440],
      ['2026-10-01', 720],
    ]);
  });

  it('start the week on Monday', () => {
    const weeks = sumTotals(shifts, 'week', NOW);
    expect(weeks.map(({ start, minutes }) => [start, minutes])).toEqual([
      ['2026-11-02', 720],
      ['2026-10-26', 1440],
    ]);
  });

  it('add up the records of one shift, leaving out an open one', () => {
    const back = { clock_in_at: '2026-11-03T01:00:00Z', clock_out_at: null };
    const left = { clock_out_at: '2026-11-02T20:30:00Z' };
    expect(countMinutes(shiftOn('2026-11-02', left, back))).toBe(150);
  });
});

describe('this week', () => {
  // NOW is a Saturday; the week began on Monday the 16th.
  it('leaves out earlier weeks and counts the running shift until now, at most until its end', () => {
    const running = { clock_in_at: '2026-11-21T10:30:00Z', clock_out_at: null };
    const forgotten = { clock_in_at: '2026-11-19T18:00:00Z', clock_out_at: null };
    const shifts = [
      shiftOn('2026-11-20', running),
      shiftOn('2026-11-19', forgotten),
      shiftOn('2026-11-16', {}),
      shiftOn('2026-11-15', {}),
    ];
    // The night of the 20th ends at 6 AM, before it was clocked in on: 0 minutes.
    expect(minutesThisWeek(shifts, NOW)).toBe(720 + 720);
    const day = { ...shiftOn('2026-11-21', running), status: 'assigned' as const };
    day.shift = { ...day.shift, start_time: '2026-11-21T10:00:00Z' };
    expect(minutesThisWeek([day], NOW)).toBe(90);
    expect(sumTotals([day], 'week', NOW)).toMatchObject([{ minutes: 90 }]);
  });

  it('is overtime beyond 48 hours', () => {
    expect([48 * 60, 52 * 60 + 30].map(countOvertime)).toEqual([0, 270]);
  });
});

describe('exceptions', () => {
  const cases: [Clock[], string, string[]][] = [
    [[{}], '2026-11-02', []],
    [[], '2026-11-02', ['No clock-in']],
    [[], '2026-11-21', []],
    [[{ clock_out_at: null }], '2026-11-02', ['No clock-out']],
    [[{ late_minutes: 7 }], '2026-11-02', ['Late 7 min']],
    [[{ late_minutes: 498 }], '2026-11-02', ['Late 8 h 18 min']],
    [[{ flags: ['sent_late'], needs_review: true }], '2026-11-02', ['Sent late', 'Under review']],
    [[{ late_minutes: 300 }, {}], '2026-11-02', []],
    [
      [{ early_minutes: 20, corrected_at: '2026-11-03T09:00:00Z' }],
      '2026-11-02',
      ['Left 20 min early', 'Corrected'],
    ],
    [
      [{ early_minutes: 20, flags: ['left_early', 'reopened'] }],
      '2026-11-02',
      ['Left 20 min early', 'Clocked out by mistake'],
    ],
  ];
  it.each(cases)('%j on %s: %j', (clocks, day, labels) => {
    expect(listExceptions(shiftOn(day, ...clocks), NOW)).toEqual(labels);
  });
});
