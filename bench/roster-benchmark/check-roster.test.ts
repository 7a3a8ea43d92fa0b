// The rules as scenarios, for the checker and for the search alike; then the two against each other on random rosters.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRoster } from './check-roster.ts';
import { parseInstance } from './parse-instance.ts';
import { randomInstance } from './random-instance.ts';
import { type Roster, type RosterProblem, softCost } from './search/problem.ts';
import { rowRules } from './search/row-rules.ts';

/** Two weeks of one person: at most 5 days on, at least 2 on and 2 off, 8 shifts of 8 h at most, one weekend. */
const instance = (rules = '3840,0,5,2,2,1') => `
SECTION_HORIZON
14
SECTION_SHIFTS
D,480,
N,480,D
SECTION_STAFF
A,D=8|N=3,${rules}
SECTION_DAYS_OFF
A,9
SECTION_SHIFT_OFF_REQUESTS
A,0,D,7
SECTION_COVER
1,D,2,100,1
2,D,0,100,1
`;

/** Monday to Sunday twice; a dot is a day off. */
it.each<[string, string, RegExp | null]>([
  ['two runs', 'DDDDD..DD.....', null],
  ['nobody at work', '..............', null],
  ['a run that is too long', 'DDDDDD........', /6 days in a row from day 0/],
  ['a run that is too short', '...D..........', /only 1 days on from day 3/],
  ['a short run on the first day', 'D.............', null],
  ['a short run on the last day', '.............D', null],
  ['one day off between runs', 'DD.DD.........', /only 1 days off from day 2/],
  ['one day off at the start', '.DD...........', null],
  ['one day off at the end', '...........DD.', null],
  ['an early shift after a night', 'NND...........', /D after N on day 1/],
  ['a night after an early shift', 'DDN...........', null],
  ['an early shift after nights and days off', 'NN..DD........', null],
  ['two weekends by a Saturday and a Sunday', '....DD......DD', /2 weekends/],
  ['one weekend by its Saturday and its Sunday', '.....DD.......', null],
  ['too many of one kind', 'NN..NN........', /4 times N/],
  ['too many minutes', 'DDDDD..DD..DD.', /4320 minutes/],
  ['a day off worked', '.......DDD....', /works on day off 9/],
])('%s', (_, row, violation) => {
  const text = instance();
  const { violations } = checkRoster(text, [[...row].map((day) => (day === '.' ? null : day))]);
  if (violation === null) expect(violations).toEqual([]);
  else expect(violations.join()).toMatch(violation);
  const { problem, roster } = read(text, [row]);
  expect(isLegal(problem, roster)).toBe(violation === null);
});

it('asks for a minimum of minutes', () => {
  const text = instance('3840,1440,5,2,2,1');
  expect(checkRoster(text, [rowOf('DD............')]).violations).toEqual(['A: 960 minutes']);
  expect(checkRoster(text, [rowOf('DDD...........')]).violations).toEqual([]);
});

it('prices requests and cover', () => {
  const cost = (row: string) => checkRoster(instance(), [rowOf(row)]).cost;
  expect(cost('..............')).toBe(200);
  expect(cost('DDD...........')).toBe(7 + 100 + 1);
});

it('refuses a roster of the wrong shape', () => {
  expect(checkRoster(instance(), []).violations.join()).toMatch(/0 rows/);
  expect(checkRoster(instance(), [[null]]).violations.join()).toMatch(/1 days/);
  expect(checkRoster(instance(), [rowOf('XX............')]).violations.join()).toMatch(
    /no shift X/,
  );
});

it('agrees with the search about every roster', () => {
  const cases = randomInstance({ people: 4, days: 16, kinds: 3 }).chain((text) => {
    const { people, days, kinds } = parseInstance(text);
    // Mostly one kind or off, so that long runs and legal rows come up.
    const day = fc.constantFrom(null, null, ...kinds.map(({ id }) => id));
    const row = fc.array(fc.tuple(day, fc.nat({ max: 4 })), { minLength: 1 }).map((blocks) => {
      const filled = blocks.flatMap(([kind, length]) => Array<string | null>(length).fill(kind));
      return Array.from({ length: days }, (_, index) => filled[index] ?? null);
    });
    const solution = fc.array(row, { minLength: people.length, maxLength: people.length });
    return fc.tuple(fc.constant(text), solution);
  });
  fc.assert(
    fc.property(cases, ([text, solution]) => {
      const { problem, roster } = read(text, solution);
      const { violations, cost } = checkRoster(text, solution);
      expect(softCost(problem, roster)).toBe(cost);
      expect(isLegal(problem, roster)).toBe(violations.length === 0);
    }),
    { numRuns: 400 },
  );
});

function rowOf(row: string): (string | null)[] {
  return [...row].map((day) => (day === '.' ? null : day));
}

function read(text: string, rows: readonly (string | readonly (string | null)[])[]) {
  const problem = parseInstance(text);
  const numberOf = new Map(problem.kinds.map(({ id }, index) => [id, index + 1]));
  const roster = Int32Array.from(
    rows.flatMap((row) => [...row]),
    (shift) => numberOf.get(shift ?? '') ?? 0,
  );
  return { problem, roster };
}

/** The search never puts a person on a day off, so its rules don't count that. */
function isLegal(problem: RosterProblem, roster: Roster): boolean {
  const brokenRules = rowRules(problem);
  const isFree = roster.every((kind, cell) => kind === 0 || problem.unavailable[cell] === 0);
  return isFree && problem.people.every((_, person) => brokenRules(roster, person) === 0);
}
