import { describe, expect, it } from 'vitest';
import { DEFAULT_RULES } from '#tests/support/roster-company.ts';
import { type RuleSet, ruleSetSchema, toForm, toRow } from './schema.ts';

const row: RuleSet = {
  id: '7f6a1d0e-8a55-4c3c-9d63-111111111111',
  name: 'Liberia',
  effective_from: '2020-01-01',
  ...DEFAULT_RULES,
  week_overtime_hours: 5.5,
  bids_approve_themselves: false,
  swaps_approve_themselves: true,
  sources: { week_hours: 'mywage.org/liberia' },
  created_by: null,
  created_at: '2026-11-22T00:00:00Z',
  updated_at: '2026-11-22T00:00:00Z',
};

it('a form that nobody changes stores the same rule set', () => {
  const { id, created_by, created_at, updated_at, night_at, ...columns } = row;
  expect(toRow(ruleSetSchema.parse(toForm(row)))).toEqual({ ...columns, night_at: '02:00' });
});

it('a new rule set starts with the rules of the old one, without its name and day', () => {
  const copy = toForm(row, true);
  expect(copy).toMatchObject({ name: '', figures: { week_overtime_hours: '5.5' } });
  expect(new Date(copy.effective_from).getUTCDay()).toBe(1);
});

describe('figures', () => {
  const messages = (figures: object) => {
    const form = toForm(row);
    const { error } = ruleSetSchema.safeParse({
      ...form,
      figures: { ...form.figures, ...figures },
    });
    return error?.issues.map(({ message }) => message);
  };

  it.each([
    [{ week_hours: '169' }, 'Hours a week must be a number from 1 to 168'],
    [{ consecutive_days: '6.5' }, 'Days in a row must be a whole number from 1 to 31'],
    [{ shift_hours: '' }, 'Hours a shift must be a number from 1 to 24'],
    [{ min_rest_override_hours: '13' }, 'It can’t be longer than the rest between two shifts'],
  ])('%j', (figures, message) => {
    expect(messages(figures)).toEqual([message]);
  });
});
