import { CoverState } from './cover-state.ts';
import { type Roster, type RosterProblem, randomFrom } from './problem.ts';
import type { RowSolver } from './row-solver.ts';

/**
 * A roster made of the best row of one person after another, in random order, beside those made before.
 * @returns also the people for whom no legal row was found: they are off every day
 */
export function firstRoster(
  problem: RosterProblem,
  solver: RowSolver,
  seed: number,
): { roster: Roster; without: number[] } {
  const { days, people, kinds } = problem;
  const random = randomFrom(seed);
  const order = people.map((_, person) => ({ person, key: random() }));
  order.sort((a, b) => a.key - b.key);
  const state = new CoverState(problem, new Int32Array(people.length * days));
  const prices = new Float64Array(days * (kinds.length + 1));
  const without: number[] = [];
  for (const { person } of order) {
    state.removeRow(person, 0, days);
    state.priceRow(person, 0, days, prices);
    const row = solver.solve(state.roster, person, prices, 0, days);
    if (row === null) without.push(person);
    else state.roster.set(row, person * days);
    state.addRow(person, 0, days);
  }
  return { roster: state.roster, without };
}
