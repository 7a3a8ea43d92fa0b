import { describe, expect, it } from 'vitest';
import type { RosterResult } from '#shared/roster/roster-result.ts';
import { company, guard, post, shiftAt } from '#tests/support/roster-company.ts';
import { describeGaps, describeProgress, describeQuality } from './result-words.ts';

const input = company({
  posts: [post()],
  shifts: ['one', 'two'].map((id) => shiftAt(id, '2026-11-23T06:00Z', 12, { post_id: 'gate' })),
  people: [guard('ada', { known: { site: 3 }, home: [6.4, -10.8] }), guard('ben')],
});

const result = (more: Partial<RosterResult>): RosterResult => ({
  assign: [],
  unassign: [],
  score: {
    total: 15_371,
    parts: {
      unfilled: 0,
      known_post: 0,
      distance: 0,
      preference: 0,
      fair_hours: 0,
      fair_nights: 0,
      fair_sundays: 0,
      overtime: 0,
      change: 0,
    },
  },
  bound: 15_000,
  gap: 0.02,
  unfilled: [],
  ...more,
});
const pair = (shift_id: string, user_id: string) => ({ shift_id, user_id });

describe('what a planner reads after Fill', () => {
  it('says who knows the site and how far people travel', () => {
    expect(
      describeQuality(result({ assign: [pair('one', 'ada'), pair('two', 'ben')] }), input),
    ).toBe(
      '1 of 2 go to a site that they know, and nobody travels more than 12 km. It can hardly get better.',
    );
    expect(describeQuality(result({ assign: [pair('one', 'ada')], gap: 0.3 }), input)).toBe(
      'Everybody knows their site, and nobody travels more than 12 km.',
    );
    expect(describeQuality(result({ assign: [pair('two', 'ben')], gap: null }), input)).toBe(
      '0 of 1 go to a site that they know.',
    );
  });

  it('names the sites that nobody can reach', () => {
    const open = (shift_id: string, reason: string) => ({ shift_id, seats: 2, reason });
    expect(describeGaps(result({}), input)).toBeUndefined();
    const free = open('one', 'There is no female guard');
    expect(describeGaps(result({ unfilled: [free] }), input)).toBe('2 left open.');
    const far = open('two', 'Nobody lives near enough: the nearest guard is 1569 km away');
    expect(describeGaps(result({ unfilled: [free, far] }), input)).toBe(
      '4 left open. Nobody lives near enough to Embassy.',
    );
  });

  it('has no figure without a meaning', () => {
    expect(describeProgress(result({}))).toBe('hardly anything left to improve');
    expect(describeProgress(result({ gap: 0.4 }))).toBe('still improving');
    expect(describeProgress(result({ gap: null }))).toBe('');
  });
});
