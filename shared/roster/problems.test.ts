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
import type { RosterInput, RosterPerson, RosterShift } from './input.ts';
import { problemsFor } from './problems.ts';

function problems(
  [asked, ...others]: readonly RosterShift[],
  ada: Partial<RosterPerson> = {},
  more: Partial<RosterInput> = {},
) {
  const input = company({
    shifts: asked === undefined ? [] : [asked, ...others],
    people: [guard('ada', ada)],
    posts: [post()],
    assignments: others.map(({ id }) => assigned(id, 'ada')),
    ...more,
  });
  return problemsFor(input, effectiveRoster(input), 'ada', asked?.id ?? '');
}

const messages = (...asked: Parameters<typeof problems>) =>
  problems(...asked).map(({ message }) => message);

/** A shift at the gate: '24 06:00' of November 2026 for some hours. */
function at(start: string, hours = 12): RosterShift {
  const [day, time] = start.split(' ');
  return shiftAt(start, `2026-11-${day}T${time}Z`, hours, { post_id: 'gate' });
}

describe('rest', () => {
  it.each([
    ['none', [at('24 06:00'), at('23 18:00')], ['0 h rest, 12 needed']],
    ['six hours before', [at('23 18:00'), at('23 06:00', 6)], ['6 h rest, 12 needed']],
    ['7.5 hours after', [at('23 06:00', 6), at('23 19:30', 6)], ['7.5 h rest, 12 needed']],
    ['two nights across midnight', [at('24 18:00'), at('23 18:00')], []],
    [
      'two at once',
      [at('24 06:00'), at('24 17:59', 8)],
      ['Already on a shift, Nov 24, 5:59 PM to Nov 25, 1:59 AM'],
    ],
  ])('%s', (_, shifts, expected) => {
    expect(messages(shifts)).toEqual(expected);
  });

  it('counts duties that are not on the board', () => {
    const elsewhere: [number, number] = [
      minuteOf('2026-11-22T18:00Z'),
      minuteOf('2026-11-23T02:00Z'),
    ];
    expect(messages([at('23 06:00')], { outside: [elsewhere] })).toEqual(['4 h rest, 12 needed']);
  });
});

describe('a week', () => {
  const four = [at('23 06:00'), at('24 06:00'), at('25 06:00'), at('26 06:00')];

  it('has 53 hours at most', () => {
    expect(messages([at('27 06:00', 5), ...four])).toEqual([]);
    expect(messages([at('27 06:00'), ...four])).toEqual([
      '53 h a week at most, this would make 60 h',
    ]);
  });

  it('counts a night from Sunday to Monday where it starts', () => {
    const sunday = at('29 18:00');
    const weekBefore = ['16', '17', '18', '19'].map((day) => at(`${day} 06:00`));
    expect(messages([sunday, ...four])).toEqual(['53 h a week at most, this would make 60 h']);
    const later = ['24', '25', '26', '27'].map((day) => at(`${day} 06:00`));
    expect(messages([at('22 18:00'), ...later])).toEqual([]);
    expect(messages([at('22 18:00'), ...weekBefore])).toEqual([
      '53 h a week at most, this would make 60 h',
    ]);
  });

  it('has 36 free hours that lie within it', () => {
    const days = ['23', '24', '25', '26', '27'].map((day) => at(`${day} 06:00`, 6));
    expect(messages([at('28 06:00', 6), ...days])).toEqual([]);
    expect(messages([at('28 07:00', 6), ...days, at('30 18:00')])).toEqual([
      '36 h weekly rest needed, the longest would be 35 h',
    ]);
  });

  it('loses the hour that clocks lose in the zone of the company', () => {
    const days = ['23', '24', '25', '26', '27'].map((day) =>
      shiftAt(day, `2026-03-${day}T06:00Z`, 6),
    );
    const saturday = shiftAt('28', '2026-03-28T06:00Z', 6);
    expect(messages([saturday, ...days], {}, { zone: 'Africa/Monrovia' })).toEqual([]);
    expect(messages([saturday, ...days], {}, { zone: 'Europe/London' })).toEqual([
      '36 h weekly rest needed, the longest would be 35 h',
    ]);
  });
});

describe('length and runs', () => {
  it('refuses a night that clocks make 13 hours long', () => {
    const night = shiftAt('night', '2026-10-31T18:00-04:00', 13);
    expect(messages([night], {}, { zone: 'America/New_York' })).toEqual([
      '12 h a shift at most, this one has 13 h',
    ]);
  });

  it('six days in a row at most, over the border of a week', () => {
    const six = ['26', '27', '28', '29', '30'].map((day) => at(`${day} 06:00`, 4));
    const first = shiftAt('first', '2026-12-01T06:00Z', 4);
    expect(messages([first, ...six])).toEqual([]);
    expect(messages([at('25 06:00', 4), ...six, first])).toEqual([
      '6 days in a row at most, this would make 7',
    ]);
  });

  it('four nights in a row at most, whatever days are around them', () => {
    const nights = ['23', '24', '25'].map((day) => at(`${day} 20:00`, 8));
    expect(messages([at('26 20:00', 8), ...nights])).toEqual([]);
    expect(messages([at('27 20:00', 8), at('26 20:00', 8), ...nights])).toEqual([
      '4 nights in a row at most, this would make 5',
    ]);
    // Over by 01:00, so it is no night.
    expect(messages([at('27 20:00', 5), at('26 20:00', 8), ...nights])).toEqual([]);
  });
});

describe('eligibility', () => {
  const day = at('25 06:00');
  const night = at('24 18:00');
  const lapses = { certificates: { aid: minuteOf('2026-11-26T00:00Z') } };
  const aid = { posts: [post({ courses: ['aid'] })], courses: [{ id: 'aid', title: 'First aid' }] };

  it.each([
    ['leave', [night], { leave: [['2026-11-25', '2026-11-27']] }, {}, ['On approved leave']],
    ['back from leave', [night], { leave: [['2026-11-20', '2026-11-23']] }, {}, []],
    ['a certificate until Wednesday, on Wednesday', [day], lapses, aid, []],
    [
      'a certificate until Wednesday, in the night to Thursday',
      [at('25 18:00')],
      lapses,
      aid,
      ['No valid certificate: First aid'],
    ],
    ['no certificate', [day], {}, aid, ['No valid certificate: First aid']],
    ['a ban', [day], { banned: ['site'] }, {}, ['Banned from this site']],
    [
      'no induction',
      [day],
      {},
      { posts: [post({ needs_induction: true })] },
      ['Not inducted at this site'],
    ],
    [
      'a post for women',
      [day],
      { gender: 'male' },
      { posts: [post({ gender: 'female' })] },
      ['The post is for female guards'],
    ],
    [
      'a shift made by hand asks only about bans',
      [{ ...day, post_id: null }],
      { leave: [['2026-11-25', '2026-11-25']], banned: ['site'] },
      aid,
      ['Banned from this site'],
    ],
  ] as [string, RosterShift[], Partial<RosterPerson>, Partial<RosterInput>, string[]][])(
    '%s',
    (_, shifts, ada, more, expected) => {
      expect(messages(shifts, ada, more)).toEqual(expected);
    },
  );

  it('shows leave that was approved after publishing', () => {
    const input = company({
      shifts: [day],
      posts: [post()],
      people: [guard('ada', { leave: [['2026-11-25', '2026-11-25']] })],
      assignments: [assigned(day.id, 'ada')],
    });
    expect(problemsFor(input, effectiveRoster(input), 'ada', day.id)).toEqual([
      { rule: 'leave', message: 'On approved leave', can_override: true },
    ]);
  });

  it('refuses people who are no active guards', () => {
    const input = company({ shifts: [day], posts: [post()] });
    expect(problemsFor(input, effectiveRoster(input), 'gone', day.id)).toEqual([
      { rule: 'inactive', message: 'Not an active guard', can_override: false },
    ]);
  });
});

describe('distance', () => {
  const [site] = company({}).sites;
  const places = (more: object) => (site ? { sites: [{ ...site, ...more }] } : {});
  const LAGOS = places({ zone: 'Africa/Lagos', latitude: 6.45, longitude: 3.39 });
  const MONROVIA: [number, number] = [6.3, -10.8];
  const KAKATA: [number, number] = [6.53, -10.35];

  it.each<[string, Partial<RosterPerson>, Partial<RosterInput>, string[]]>([
    [
      'of a home in another country',
      { home: MONROVIA },
      LAGOS,
      ['Lives 1569 km away, 60 km at most'],
    ],
    ['of an unknown home to another country', {}, LAGOS, []],
    ['of a home in the same country', { home_region: 'Nigeria' }, LAGOS, []],
    ['of an unknown home in the same country', {}, places({ county: 'Maryland' }), []],
    [
      'of another county without positions',
      { home_region: 'Montserrado' },
      places({ county: 'Maryland' }),
      ['Lives in Montserrado, not in Maryland'],
    ],
    ['of a county to a site whose county is not known', { home_region: 'Bong' }, {}, []],
    [
      'within reach of another county',
      { home: KAKATA, home_region: 'Margibi' },
      places({ county: 'Montserrado' }),
      [],
    ],
    [
      'above the limit of the person',
      { home: KAKATA, max_distance_km: 30 },
      {},
      ['Lives 56 km away, 30 km at most'],
    ],
    [
      'above the limit of the site',
      { home: KAKATA, max_distance_km: 90 },
      places({ max_distance_km: 40 }),
      ['Lives 56 km away, 40 km at most'],
    ],
    ['within a limit beyond the default', { home: MONROVIA, max_distance_km: 1600 }, LAGOS, []],
  ])('%s', (_, ada, more, expected) => {
    expect(messages([at('24 06:00')], ada, more)).toEqual(expected);
    expect(messages([{ ...at('24 06:00'), post_id: null }], ada, more)).toEqual(expected);
  });
});

describe('a reason overrides', () => {
  const asked = at('25 06:00');
  const gate = (more: Parameters<typeof post>[0]) => ({ posts: [post(more)] });

  it.each([
    ['a rest of 8 h', [asked, at('24 10:00')], {}, {}, { rest: true }],
    ['no rest under 8 h', [asked, at('24 10:15')], {}, {}, { rest: false }],
    ['no overlap', [asked, at('25 10:00')], {}, {}, { overlap: false }],
    ['a long shift', [at('25 06:00', 13)], {}, {}, { shift_hours: true }],
    ['no ban', [asked], { banned: ['site'] }, {}, { ban: false }],
    ['no need for a gender', [asked], {}, gate({ gender: 'female' }), { gender: false }],
    ['a missing induction', [asked], {}, gate({ needs_induction: true }), { induction: true }],
    ['a missing certificate', [asked], {}, gate({ courses: ['aid'] }), { certificate: true }],
  ] as [
    string,
    RosterShift[],
    Partial<RosterPerson>,
    Partial<RosterInput>,
    Record<string, boolean>,
  ][])('%s', (_, shifts, ada, more, expected) => {
    expect(
      Object.fromEntries(
        problems(shifts, ada, more).map(({ rule, can_override }) => [rule, can_override]),
      ),
    ).toEqual(expected);
  });
});
