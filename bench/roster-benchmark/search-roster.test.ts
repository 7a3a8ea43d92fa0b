// The search on small random problems: its rows against all rows, its rosters against the independent checker.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRoster } from './check-roster.ts';
import { parseInstance } from './parse-instance.ts';
import { randomInstance } from './random-instance.ts';
import { type RosterProblem, softCost } from './search/problem.ts';
import { rowRules } from './search/row-rules.ts';
import { rowSolver } from './search/row-solver.ts';
import { searchRoster } from './search/search-roster.ts';

const STEPS = 20_000;

/** Least price of a legal row that equals `start` outside the window, by trying all of them; null when there is none. */
function cheapestByTrying(
  problem: RosterProblem,
  start: Int32Array,
  prices: Float64Array,
  first: number,
  end: number,
): number | null {
  const width = problem.kinds.length + 1;
  const brokenRules = rowRules(problem);
  const row = start.slice();
  let best: number | null = null;
  const tryFrom = (day: number, price: number): void => {
    if (day === end) {
      if ((best === null || price < best) && brokenRules(row, 0) === 0) best = price;
      return;
    }
    for (let kind = 0; kind < width; kind++) {
      if (kind > 0 && problem.unavailable[day] === 1) continue;
      row[day] = kind;
      tryFrom(day + 1, price + (prices[day * width + kind] ?? 0));
    }
  };
  tryFrom(first, 0);
  return best;
}

/** Least cost of a legal roster, by trying all of them. */
function cheapestRoster(problem: RosterProblem): number | null {
  const { days, people, kinds, unavailable } = problem;
  const brokenRules = rowRules(problem);
  const roster = new Int32Array(people.length * days);
  let best: number | null = null;
  const tryFrom = (cell: number): void => {
    if (cell > 0 && cell % days === 0 && brokenRules(roster, cell / days - 1) > 0) return;
    if (cell === roster.length) {
      const cost = softCost(problem, roster);
      if (best === null || cost < best) best = cost;
      return;
    }
    for (let kind = 0; kind <= kinds.length; kind++) {
      if (kind > 0 && unavailable[cell] === 1) continue;
      roster[cell] = kind;
      tryFrom(cell + 1);
    }
  };
  tryFrom(0);
  return best;
}

const onePerson = randomInstance({ people: 1, days: 9, kinds: 2 }).chain((text) => {
  const problem = parseInstance(text);
  const { days, kinds } = problem;
  return fc.record({
    problem: fc.constant(problem),
    prices: fc
      .array(fc.integer({ min: -20, max: 20 }), {
        minLength: days * (kinds.length + 1),
        maxLength: days * (kinds.length + 1),
      })
      .map((list) => Float64Array.from(list)),
    first: fc.nat({ max: days - 1 }),
    length: fc.integer({ min: 1, max: days }),
  });
});

it('finds the cheapest legal row, and the cheapest change of it in a window', () => {
  fc.assert(
    fc.property(onePerson, ({ problem, prices, first, length }) => {
      const { days, kinds, people } = problem;
      // Limits of further kinds are kept by surcharges: legal, but not always cheapest.
      if (kinds.length > 1) people[0]?.maxOfKind.fill(days, 2);
      const end = Math.min(days, first + length);
      const solver = rowSolver(problem);
      const solve = (start: Int32Array, from: number, to: number) =>
        solver.solve(start, 0, prices, from, to)?.slice() ?? null;
      const priceOf = (row: Int32Array, from: number, to: number) => {
        let price = 0;
        for (let day = from; day < to; day++)
          price += prices[day * (kinds.length + 1) + (row[day] ?? 0)] ?? 0;
        return price;
      };
      const off = new Int32Array(days);
      const whole = solve(off, 0, days);
      const expected = cheapestByTrying(problem, off, prices, 0, days);
      expect(whole === null ? null : priceOf(whole, 0, days)).toBe(expected);
      if (whole === null) return;

      prices.reverse();
      const part = solve(whole, first, end);
      expect(part === null ? null : priceOf(part, first, end)).toBe(
        cheapestByTrying(problem, whole, prices, first, end),
      );
    }),
    { numRuns: 1000 },
  );
});

it('returns legal rows when several kinds have limits', () => {
  fc.assert(
    fc.property(onePerson, ({ problem, prices }) => {
      const row = rowSolver(problem).solve(
        new Int32Array(problem.days),
        0,
        prices,
        0,
        problem.days,
      );
      if (row !== null) expect(rowRules(problem)(row, 0)).toBe(0);
    }),
  );
});

it('returns rosters that the checker finds legal, at the cost that the checker finds', () => {
  fc.assert(
    fc.property(randomInstance({ people: 5, days: 16, kinds: 3 }), fc.nat(), (text, seed) => {
      const problem = parseInstance(text);
      const { roster, cost, illegal } = searchRoster(problem, {
        seed,
        used: (work) => work / STEPS,
      });
      const { days, kinds } = problem;
      const solution = problem.people.map((_, person) =>
        Array.from(
          roster.subarray(person * days, (person + 1) * days),
          (kind) => kinds[kind - 1]?.id ?? null,
        ),
      );
      const verdict = checkRoster(text, solution);
      expect(verdict.cost).toBe(cost);
      const names = new Set(verdict.violations.map((violation) => violation.split(':')[0]));
      expect([...names].sort()).toEqual([...illegal].sort());
    }),
    { numRuns: 40 },
  );
});

it('never claims a bound above the cost of a legal roster', () => {
  fc.assert(
    fc.property(randomInstance({ people: 2, days: 4, kinds: 2 }), fc.nat(), (text, seed) => {
      const problem = parseInstance(text);
      const { bound } = searchRoster(problem, { seed, used: (work) => work / 30_000 });
      const cheapest = cheapestRoster(problem);
      if (cheapest !== null) expect(bound).toBeLessThanOrEqual(cheapest + 1e-3);
    }),
    { numRuns: 40 },
  );
});

it('returns the same roster for the same seed and number of steps', () => {
  fc.assert(
    fc.property(randomInstance({ people: 5, days: 16, kinds: 3 }), fc.nat(), (text, seed) => {
      const run = () =>
        searchRoster(parseInstance(text), { seed, used: (work) => work / STEPS }).roster;
      expect(run()).toEqual(run());
    }),
    { numRuns: 10 },
  );
});

it('reports only rosters that are better than all before', () => {
  const [text = ''] = fc.sample(randomInstance({ people: 5, days: 16, kinds: 3 }), {
    seed: 7,
    numRuns: 1,
  });
  const costs: number[] = [];
  searchRoster(parseInstance(text), {
    seed: 1,
    used: (work) => work / STEPS,
    onBetter: (_, cost) => costs.push(cost),
  });
  expect(costs).toEqual([...costs].sort((a, b) => b - a));
});
