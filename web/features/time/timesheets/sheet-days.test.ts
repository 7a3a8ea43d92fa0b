import { expect, it } from 'vitest';
import {
  type DayRow,
  groupWeeks,
  isRunning,
  type Segment,
  sumFigures,
  toSheetDays,
} from './sheet-days.ts';

const SHEET = '7f6a1d0e-8a55-4c3c-9d63-111111111111';

const day = (on: string, figures: Partial<DayRow> = {}): DayRow => ({
  id: on,
  timesheet_id: SHEET,
  user_id: SHEET,
  day: on,
  planned_minutes: 720,
  worked_minutes: 720,
  paid_minutes: 700,
  missing_minutes: 0,
  credited_minutes: 0,
  issues: [],
  explanations: [],
  ...figures,
});

const segment = (on: string, from: string, to: string): Segment => ({
  id: `${on} ${from}`,
  day: on,
  starts_at: from,
  ends_at: to,
  minutes: (Date.parse(to) - Date.parse(from)) / 60_000,
  class: 'regular',
  rule: 'worked',
  attendance_id: null,
});

const none = { segments: [], duties: [], disputes: [] };

it('a night shift is planned and worked on both of its days', () => {
  const [first, second] = toSheetDays({
    days: [day('2026-10-06'), day('2026-10-05')],
    segments: [
      segment('2026-10-05', '2026-10-05T18:00:00Z', '2026-10-06T00:00:00Z'),
      segment('2026-10-06', '2026-10-06T00:00:00Z', '2026-10-06T06:00:00Z'),
    ],
    duties: [
      {
        id: 'night',
        site: 'Freeport Gate',
        plan_day: '2026-10-05',
        starts_at: '2026-10-05T18:00:00Z',
        ends_at: '2026-10-06T06:00:00Z',
      },
    ],
    disputes: [],
  });
  expect(first?.day).toBe('2026-10-05');
  expect(first?.plan.map(({ left, width, goesOn }) => [left, width, goesOn])).toEqual([
    [75, 25, true],
  ]);
  expect(first?.work.map(({ left, width }) => [left, width])).toEqual([[75, 25]]);
  expect(second?.plan.map(({ width, isFromBefore }) => [width, isFromBefore])).toEqual([
    [25, true],
  ]);
  expect(second?.work.map(({ left, width }) => [left, width])).toEqual([[0, 25]]);
  const running = (at: string) =>
    [first, second].map((one) => one && isRunning(one, Date.parse(at)));
  expect(running('2026-10-05T17:59:59Z')).toEqual([false, false]);
  expect(running('2026-10-05T18:00:00Z')).toEqual([true, true]);
  expect(running('2026-10-06T06:00:00Z')).toEqual([false, false]);
});

it('sentences of an unknown shape are left out', () => {
  const late = { code: 'late', text: 'Clocked in 9 min late.' };
  const days = toSheetDays({
    ...none,
    days: [
      day('2026-10-05', { explanations: [late] }),
      day('2026-10-06', { explanations: 'later version' }),
    ],
  });
  expect(days.map(({ sentences }) => sentences)).toEqual([[late], []]);
});

it('weeks begin on Monday and add up to the sheet', () => {
  const days = toSheetDays({
    ...none,
    days: ['2026-10-04', '2026-10-05', '2026-10-11'].map((on) => day(on, { missing_minutes: 20 })),
  });
  const weeks = groupWeeks(days);
  expect(weeks.map(({ monday, days: { length }, paid }) => [monday, length, paid])).toEqual([
    ['2026-09-28', 1, 700],
    ['2026-10-05', 2, 1400],
  ]);
  expect(sumFigures(days)).toEqual({ planned: 2160, worked: 2160, paid: 2100, missing: 60 });
});

it('a locked day explains work that its figures do not contain', () => {
  const late = {
    ...segment('2026-10-05', '2026-10-05T06:00:00Z', '2026-10-05T18:00:00Z'),
    attendance_id: SHEET,
  };
  const sentencesOf = (worked_minutes: number) =>
    toSheetDays({ ...none, days: [day('2026-10-05', { worked_minutes })], segments: [late] })[0]
      ?.sentences;
  expect(sentencesOf(720)).toEqual([]);
  expect(sentencesOf(0)).toEqual([
    {
      code: 'arrived_late',
      text: 'Clock events arrived after the period was locked. An adjustment pays these hours.',
    },
  ]);
});
