import { randomFrom } from '#shared/roster/arrays.ts';
import { isWholeRow } from './coordinate.ts';
import { CoverState } from './cover-state.ts';
import type { Roster, RosterProblem } from './problem.ts';
import type { RowSolver } from './row-solver.ts';

/**
 * A roster made of the best row of one person after another, in random order, beside those made before.
 * People for whom no row is found, or whose rows have too many states, are off every day.
 */
export function firstRoster(problem: RosterProblem, solver: RowSolver, seed: number): Roster {
  const { days, people, kinds } = problem;
  const random = randomFrom(seed);
  const order = people.map((_, person) => ({ person, key: random() }));
  order.sort((a, b) => a.key - b.key);
  const state = new CoverState(problem, new Int32Array(people.length * days));
  const prices = new Float64Array(days * (kinds.length + 1));
  for (const { person } of order) {
    if (!isWholeRow(problem, solver, person)) continue;
    state.removeRow(person, 0, days);
    state.priceRow(person, 0, days, prices);
    const row = solver.solve(state.roster, person, prices, 0, days);
    if (row !== null) state.roster.set(row, person * days);
    state.addRow(person, 0, days);
  }
  return state.roster;
}
