import { at, randomFrom, realAt } from '#shared/roster/arrays.ts';
import { CoverState } from './cover-state.ts';
import { costRange, type Roster, type RosterProblem } from './problem.ts';
import type { RowSolver } from './row-solver.ts';

/** Days of a window when a person's whole row has too many states to be solved in about 100 ms. */
const LONGEST_WINDOW = 28;
const MOST_STATES = 5_000_000;
/** Random noise on prices at the start and at the end, in smallest weights of the problem. */
const NOISE_AT_START = 0.3;
const NOISE_AT_END = 0.05;
/** Share of the budget after which only real prices count. */
const SETTLING = 0.95;
/** How far a learned price moves at first for each person too few or too many, as a share of the greatest weight. */
const LEARNING_STEP = 0.04;

interface CoordinateOptions {
  seed: number;
  /** A legal roster. */
  start: Roster;
  /** Shadow prices of the cover by `day * (kinds + 1) + kind`; null learns them on the way. */
  prices: Float64Array | null;
  /** Share of the budget that is used; 1 or more ends it. Called before each row. */
  used: () => number;
  onBetter: (roster: Roster, cost: number) => void;
}

export const isWholeRow = (problem: RosterProblem, solver: RowSolver, person: number): boolean =>
  problem.days <= LONGEST_WINDOW || solver.states(person, problem.days) <= MOST_STATES;

/** Upper estimate of the states that it takes to solve the rows of all people. */
export function statesOfSweep(problem: RosterProblem, solver: RowSolver): number {
  const { days, people } = problem;
  return people.reduce((sum, _, person) => {
    if (isWholeRow(problem, solver, person)) return sum + solver.states(person, days);
    const windows = days / LONGEST_WINDOW + 1;
    return sum + windows * solver.states(person, LONGEST_WINDOW);
  }, 0);
}

/**
 * Lets people agree on a roster: one after another takes the row that is best for given prices of the cover. At first
 * these are shadow prices, by which everybody may choose freely (Lagrangian relaxation, Held and Karp 1971); they turn
 * gradually into what the row really costs beside everybody else's.
 */
export function coordinate(
  problem: RosterProblem,
  solver: RowSolver,
  options: CoordinateOptions,
): void {
  const { days, people, kinds, cellCost, required, underCost, overCost } = problem;
  const width = kinds.length + 1;
  const covers = days * width;
  const random = randomFrom(options.seed);
  const state = new CoverState(problem, options.start);
  const prices = new Float64Array(covers);
  const isLearning = options.prices === null;
  const shadow = options.prices?.slice() ?? Float64Array.from(underCost, (cost) => cost * 0.3);
  const weights = [cellCost, underCost, overCost].map((costs) => costRange(costs, 1));
  const unit = Math.min(...weights.map(({ least }) => least));
  const greatest = Math.max(...weights.map((range) => range.greatest));
  const step = (greatest * LEARNING_STEP) / people.length;
  const isWholeOf = Int32Array.from(people, (_, person) =>
    isWholeRow(problem, solver, person) ? 1 : 0,
  );
  let best = Number.POSITIVE_INFINITY;

  /** Prices of a window of a person's days, at a share of the way from shadow prices to real ones. */
  function price(person: number, first: number, end: number, isReal: number, noise: number): void {
    state.priceRow(person, first, end, prices);
    for (let index = first * width; index < end * width; index++) {
      const cell = at(cellCost, person * covers + index);
      const real = realAt(prices, index);
      const isOff = index % width === 0;
      const mixed = isOff
        ? real
        : cell + isReal * (real - cell) - (1 - isReal) * realAt(shadow, index);
      // Gumbel noise: without the gradual change, this would sample rows by their cost (Papandreou and Yuille 2011).
      prices[index] = mixed + noise * Math.log(-Math.log(random() + 1e-15) + 1e-15);
    }
  }

  /** Moves the shadow prices of a window towards what its cover asks for (subgradient method). */
  function learn(first: number, end: number, size: number): void {
    for (let index = first * width; index < end * width; index++) {
      if (index % width === 0) continue;
      const moved = realAt(shadow, index) + size * (at(required, index) - at(state.cover, index));
      shadow[index] = Math.max(-at(overCost, index), Math.min(at(underCost, index), moved));
    }
  }

  for (;;) {
    const share = options.used();
    if (share >= 1) return;
    const isReal = share > SETTLING ? 1 : share ** (isLearning ? 3 : 2);
    const noise = unit * NOISE_AT_START * (NOISE_AT_END / NOISE_AT_START) ** share;
    const person = (random() * people.length) | 0;
    const isWhole = at(isWholeOf, person) === 1;
    const from = isWhole ? 0 : ((random() * (days + LONGEST_WINDOW)) | 0) - LONGEST_WINDOW;
    const first = Math.max(0, from);
    const end = isWhole ? days : Math.min(days, from + LONGEST_WINDOW);
    if (end <= first) continue;
    state.removeRow(person, first, end);
    price(person, first, end, isReal, noise);
    const row = solver.solve(state.roster, person, prices, first, end);
    if (row !== null)
      for (let day = first; day < end; day++) state.roster[person * days + day] = at(row, day);
    state.addRow(person, first, end);
    if (isLearning) learn(first, end, step * (1 - share) ** 3);
    if (state.cost >= best) continue;
    best = state.cost;
    options.onBetter(state.roster, best);
  }
}
