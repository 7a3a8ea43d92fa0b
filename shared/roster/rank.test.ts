import { describe, expect, it } from 'vitest';
import {
  assigned,
  company,
  guard,
  minuteOf,
  post,
  shiftAt,
} from '#tests/support/roster-company.ts';
import { effectiveRoster } from './effective.ts';
import { rankGuards } from './rank.ts';
import { personTotals } from './totals.ts';

const shifts = [
  shiftAt('open', '2026-11-27T06:00Z', 12, { post_id: 'gate' }),
  ...['23', '24', '25', '26'].map((date) => shiftAt(date, `2026-11-${date}T06:00Z`, 11)),
  shiftAt('night', '2026-11-26T18:00Z', 12),
];

const input = company({
  posts: [post()],
  shifts,
  people: [
    guard('far', { home: [6.4, -10.8] }),
    guard('knows', { home: [6.31, -10.8], known: { site: 9 } }),
    guard('tired', { known: { site: 9 } }),
    guard('busy', { known: { site: 9 } }),
    guard('elsewhere', {
      known: { site: 1 },
      outside: [[minuteOf('2026-11-24T06:00Z'), minuteOf('2026-11-24T16:00Z')]],
    }),
  ],
  assignments: [
    assigned('night', 'tired'),
    ...['23', '24', '25', '26'].map((date) => assigned(date, 'busy')),
  ],
});

describe('ranking of guards for a shift', () => {
  const ranked = rankGuards(input, effectiveRoster(input), 'open');

  it('puts the ones who know the site first, and those who may not work it last', () => {
    expect(ranked.map(({ personId }) => personId)).toEqual([
      'knows',
      'far',
      'elsewhere',
      'tired',
      'busy',
    ]);
  });

  it('gives reasons', () => {
    expect(ranked.map(({ reasons }) => reasons)).toEqual([
      ['Knows this site: 9 shifts', '53 h left this week', '1.1 km away'],
      ['New to this site', '53 h left this week', '11.1 km away'],
      ['Knows this site: 1 shift', '43 h left this week'],
      ['Knows this site: 9 shifts', '41 h left this week'],
      ['Knows this site: 9 shifts', '9 h left this week', '8 h overtime'],
    ]);
    expect(ranked.slice(3).map(({ problems }) => problems.map(({ message }) => message))).toEqual([
      ['0 h rest, 12 needed'],
      ['53 h a week at most, this would make 56 h'],
    ]);
  });
});

describe('totals', () => {
  it('count hours, overtime and nights, and follow the draft', () => {
    const effective = effectiveRoster(input);
    const totals = () =>
      Object.fromEntries(
        input.people.map((person) => [person.id, personTotals(input, effective, person)]),
      );
    const none = { hours: 0, nights: 0, shifts: 0, overtimeHours: 0 };
    const others = { far: none, knows: none, elsewhere: none };
    expect(totals()).toEqual({
      ...others,
      tired: { hours: 12, nights: 1, shifts: 1, overtimeHours: 0 },
      busy: { hours: 44, nights: 0, shifts: 4, overtimeHours: 0 },
    });
    effective.assign('open', 'busy');
    effective.unassign('night', 'tired');
    expect(totals()).toEqual({
      ...others,
      tired: none,
      busy: { hours: 56, nights: 0, shifts: 5, overtimeHours: 8 },
    });
  });
});
