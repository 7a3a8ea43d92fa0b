import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRoster } from '#tests/support/check-roster.ts';
import {
  assigned,
  company,
  DEFAULT_RULES,
  guard,
  minuteOf,
  post,
  shiftAt,
} from '#tests/support/roster-company.ts';
import { effectiveRoster } from './effective.ts';
import { fillRoster } from './engine.ts';
import type { RosterInput, RosterPair } from './input.ts';
import { problemsFor } from './problems.ts';

const ZONES = ['Africa/Monrovia', 'Europe/London', 'America/New_York'];
/** A Monday in winter, and those of the weeks in which clocks change in London and in New York. */
const MONDAYS = ['2026-11-23', '2026-03-23', '2026-10-19', '2026-10-26'];
const GUARDS = ['ada', 'ben', 'cleo', 'dan', 'eve'];

const dayOf = (monday: string, day: number) =>
  new Date(Date.parse(monday) + day * 86_400_000).toISOString().slice(0, 10);

/** Small companies: up to 16 shifts of odd times, five guards with every kind of obstacle. */
const companies: fc.Arbitrary<RosterInput> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    monday: fc.constantFrom(...MONDAYS),
    rules: fc.record({
      min_rest_hours: fc.constantFrom(8, 11, 12),
      week_hours: fc.constantFrom(20, 40, 48),
      week_overtime_hours: fc.constantFrom(0, 5),
      weekly_rest_hours: fc.constantFrom(24, 36, 60),
      consecutive_days: fc.constantFrom(2, 4, 6),
      consecutive_nights: fc.constantFrom(1, 3, 4),
    }),
    shifts: fc.array(
      fc.record({
        day: fc.integer({ min: 0, max: 6 }),
        hour: fc.constantFrom(0, 2, 6, 8, 14, 18, 22),
        hours: fc.constantFrom(4, 8, 8.5, 12, 13),
        headcount: fc.integer({ min: 1, max: 2 }),
        post: fc.constantFrom('gate', 'vault', null),
      }),
      { minLength: 1, maxLength: 16 },
    ),
    people: fc.array(
      fc.record({
        gender: fc.constantFrom('female', 'male', null),
        expires: fc.option(fc.integer({ min: -1, max: 9 })),
        leave: fc.option(fc.integer({ min: 0, max: 6 })),
        isBanned: fc.boolean(),
        isInducted: fc.boolean(),
        outside: fc.uniqueArray(fc.integer({ min: -14, max: 20 }), { maxLength: 8 }),
        night: fc.boolean(),
      }),
      { minLength: 5, maxLength: 5 },
    ),
    taken: fc.array(fc.tuple(fc.nat(15), fc.nat(4)), { maxLength: 6 }),
  })
  .map(({ zone, monday, rules, shifts, people, taken }) => {
    const rows = shifts.map(({ day, hour, hours, headcount, post: postId }, number) =>
      shiftAt(
        `shift-${number}`,
        `${dayOf(monday, day)}T${String(hour).padStart(2, '0')}:00Z`,
        hours,
        {
          headcount,
          post_id: postId,
        },
      ),
    );
    const start = minuteOf(monday);
    const pairs = new Set(
      taken
        .filter(([shift]) => shift < rows.length)
        .map(([shift, who]) => `shift-${shift} ${GUARDS[who]}`),
    );
    return company({
      zone,
      from: monday,
      to: dayOf(monday, 6),
      rules: { ...DEFAULT_RULES, ...rules },
      posts: [
        post({ courses: ['aid'] }),
        post({ id: 'vault', gender: 'female', needs_induction: true }),
      ],
      courses: [{ id: 'aid', title: 'First aid' }],
      shifts: rows,
      people: people.map((person, number) =>
        guard(GUARDS[number] ?? '', {
          gender: person.gender,
          certificates: person.expires === null ? {} : { aid: start + person.expires * 1440 },
          leave: person.leave === null ? [] : [[dayOf(monday, person.leave), dayOf(monday, 6)]],
          banned: person.isBanned ? ['site'] : [],
          inducted: person.isInducted ? ['site'] : [],
          outside: person.outside
            .filter((day) => day < 0 || day > 6)
            .map((day) => start + day * 1440 + (person.night ? 1080 : 360))
            .map((begin): [number, number] => [begin, begin + 720]),
        }),
      ),
      assignments: [...pairs].map((pair) => {
        const [shift = '', who = ''] = pair.split(' ');
        return assigned(shift, who);
      }),
    });
  });

const published = (input: RosterInput): RosterPair[] =>
  input.assignments.map(({ shift_id, user_id }) => ({ shift_id, user_id }));
const keyOf = ({ shift_id, user_id }: RosterPair) => `${shift_id} ${user_id}`;

describe('random companies', () => {
  it.each(['fill', 'refill', 'repair'] as const)('%s breaks no rule', (mode) => {
    fc.assert(
      fc.property(companies, fc.integer({ min: 0, max: 99 }), (input, seed) => {
        const result = fillRoster(input, { mode, seed, used: (steps) => steps / 3000 });
        const removed = new Set(result.unassign.map(keyOf));
        const added = new Set(result.assign.map(keyOf));
        const roster = [
          ...published(input).filter((pair) => !removed.has(keyOf(pair))),
          ...result.assign,
        ];
        expect(checkRoster(input, roster, (pair) => added.has(keyOf(pair)))).toEqual([]);
        if (mode === 'fill') expect(result.unassign).toEqual([]);
        const parts = Object.values(result.score.parts).reduce((sum, part) => sum + part, 0);
        expect(parts).toBeCloseTo(result.score.total, 6);
        if (result.bound !== null)
          expect(result.bound).toBeLessThanOrEqual(result.score.total + 1e-6);
        // Seats stay empty only where nobody may take them.
        for (const { reason } of result.unfilled) expect(reason).not.toMatch(/free$/);
      }),
      { numRuns: 15 },
    );
  });

  it('problems are the same as the independent checker finds', () => {
    fc.assert(
      fc.property(companies, fc.nat(15), fc.constantFrom(...GUARDS), (input, number, who) => {
        const shift = input.shifts[number % input.shifts.length];
        if (shift === undefined) return;
        const pair = { shift_id: shift.id, user_id: who };
        const others = published(input).filter((other) => keyOf(other) !== keyOf(pair));
        const found = problemsFor(input, effectiveRoster(input), who, shift.id);
        const checked = checkRoster(
          { ...input, shifts: input.shifts.map((row) => ({ ...row, headcount: 99 })) },
          [...others, pair],
          (other) => keyOf(other) === keyOf(pair),
        );
        expect(found.length > 0, JSON.stringify({ found, checked })).toBe(checked.length > 0);
      }),
      { numRuns: 100 },
    );
  });
});
