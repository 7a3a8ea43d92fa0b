import { describe, expect, it } from 'vitest';
import { figureText, type TimeRule, timeRuleSchema, toForm, toRow } from './schema.ts';

const row: TimeRule = {
  id: '7f6a1d0e-8a55-4c3c-9d63-111111111111',
  name: 'Liberia',
  effective_from: '2020-01-01',
  day_minutes: 720,
  week_minutes: 2880,
  overtime_2_after_minutes: null,
  rest_day_class: 'overtime_1',
  night_start: '22:00',
  night_end: '06:00',
  overtime_1_rate: 1.5,
  overtime_2_rate: 2,
  night_rate: 1.0625,
  holiday_rate: 2,
  leave_rate: 1,
  break_after_minutes: 320,
  break_minutes: 60,
  break_paid: true,
  grace_minutes: 5,
  round_to_minutes: 15,
  round_mode: 'nearest',
  stay_tolerance_minutes: 15,
  standard_day_minutes: 480,
  leave_weekdays: [1, 2, 3, 4, 5, 6],
  paid_leave_types: ['annual', 'sick'],
  sick_paid_days: 10,
  max_deduction_share: 0.25,
  sources: { week_minutes: 'mywage.org/liberia' },
  created_by: null,
  created_at: '2026-11-22T00:00:00Z',
  updated_at: '2026-11-22T00:00:00Z',
};

it('a form that nobody changes stores the same rules', () => {
  const { id, created_by, created_at, updated_at, ...columns } = row;
  expect(toRow(timeRuleSchema.parse(toForm(row)))).toEqual(columns);
});

it('new rules start with the old ones, without their name, on a Monday', () => {
  const copy = toForm(row, true);
  expect(copy).toMatchObject({ name: '', figures: { week_minutes: '48' } });
  expect(new Date(copy.effective_from).getUTCDay()).toBe(1);
});

it.each([
  ['day_minutes', '12 h'],
  ['break_after_minutes', '5.3333 h'],
  ['overtime_2_after_minutes', 'No second tier'],
  ['overtime_1_rate', '1.5 ×'],
  ['max_deduction_share', '25 %'],
] as const)('%s reads %s', (name, text) => {
  expect(figureText(name, row)).toBe(text);
});

describe('figures', () => {
  const messages = (figures: object) => {
    const form = toForm(row);
    const { error } = timeRuleSchema.safeParse({
      ...form,
      figures: { ...form.figures, ...figures },
    });
    return error?.issues.map(({ message }) => message);
  };

  it.each([
    [{ week_minutes: '169' }, 'Regular hours a week must be a number from 1 to 168'],
    [{ week_minutes: '' }, 'Regular hours a week must be a number from 1 to 168'],
    [
      { grace_minutes: '1.5' },
      'Lateness that counts as on time must be a whole number from 0 to 120',
    ],
    [{ overtime_1_rate: '-1' }, 'Overtime 1 must be a number from 0 to 10'],
  ])('%j', (figures, message) => {
    expect(messages(figures)).toEqual([message]);
  });

  it('the second tier of overtime may be left empty', () => {
    expect(messages({ overtime_2_after_minutes: '' })).toBeUndefined();
  });
});
