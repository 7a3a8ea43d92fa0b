import { CoverState } from './cover-state.ts';
import { at, type Roster, type RosterProblem, randomFrom, realAt } from './problem.ts';
import type { RowSolver } from './row-solver.ts';

/** Days of a window when a whole row has too many states. */
const LONGEST_WINDOW = 42;

interface PolishOptions {
  seed: number;
  /** A legal roster. */
  start: Roster;
  /** Size of the random noise on prices at the start and the end, in units of cost. */
  from: number;
  to: number;
  /** Share of the budget that is used; 1 or more ends it. Called after each row. */
  used: () => number;
  onBetter: (roster: Roster, cost: number) => void;
}

/**
 * Replaces one person's row after another by the best row beside all others, with noise on the prices that shrinks to
 * nothing ("perturb and MAP", Papandreou and Yuille 2011), so that early rows explore and late ones settle.
 */
export function polish(problem: RosterProblem, solver: RowSolver, options: PolishOptions): void {
  const { days, people, kinds } = problem;
  const { start, from, to, used, onBetter } = options;
  const random = randomFrom(options.seed);
  const state = new CoverState(problem, start);
  const prices = new Float64Array(days * (kinds.length + 1));
  const width = kinds.length + 1;
  let best = state.cost;
  for (;;) {
    const share = used();
    if (share >= 1) return;
    const noise = from * (to / from) ** share;
    const person = (random() * people.length) | 0;
    const first =
      days > LONGEST_WINDOW ? ((random() * (days + LONGEST_WINDOW)) | 0) - LONGEST_WINDOW : 0;
    const begin = Math.max(0, first);
    const end = Math.min(days, first + LONGEST_WINDOW);
    if (end <= begin) continue;
    state.removeRow(person, begin, end);
    state.priceRow(person, begin, end, prices);
    for (let index = begin * width; index < end * width; index++)
      prices[index] = realAt(prices, index) + noise * Math.log(-Math.log(random() + 1e-15) + 1e-15);
    const row = solver.solve(state.roster, person, prices, begin, end);
    if (row !== null)
      for (let day = begin; day < end; day++) state.roster[person * days + day] = at(row, day);
    state.addRow(person, begin, end);
    if (state.cost < best) {
      best = state.cost;
      onBetter(state.roster, best);
    }
  }
}
