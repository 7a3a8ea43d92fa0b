import { at, realAt } from '#shared/roster/arrays.ts';
import { MasterProgram } from './master-program.ts';
import type { Roster, RosterProblem } from './problem.ts';
import { RowPool } from './row-pool.ts';
import type { RowSolver } from './row-solver.ts';

/** Rows whose reduced cost is nearer to 0 are not added. */
const EPSILON = 1e-4;

export interface ShadowPrices {
  /** What one person more would save, by `day * (kinds + 1) + kind`. */
  prices: Float64Array;
  /** No legal roster costs less. Minus infinity when a row was not solved exactly. */
  bound: number;
}

/**
 * Multiplications that the master program will take, by measurement of instances with 150 to 370 constraints: the
 * pivots multiply, and each costs the square of the constraints.
 */
export const masterWork = ({ days, kinds, people }: RosterProblem): number =>
  260e6 * ((days * (kinds.length + 1) + people.length) / 174) ** 5.3;

/**
 * Shadow prices of the cover in the linear relaxation, by column generation (Gilmore and Gomory 1961; for these rosters
 * Burke and Curtois 2014): the master program prices the cover, and the row solver finds the rows that lower its cost.
 * @param start a legal roster
 * @param mayGoOn is given the work of the master program so far
 * @returns null when it stopped early or a row could not be solved
 */
export function shadowPrices(
  problem: RosterProblem,
  solver: RowSolver,
  start: Roster,
  mayGoOn: (work: number) => boolean,
): ShadowPrices | null {
  const { days, kinds, people, cellCost, required } = problem;
  const width = kinds.length + 1;
  const covers = days * width;
  const pool = new RowPool(problem);
  const rows = people.map((_, person) => pool.add(person, start, person * days).row);
  const master = new MasterProgram(problem, pool, rows);
  const { duals } = master;
  const prices = new Float64Array(covers);
  const isExact = people.every((_, person) => solver.isExact(person));
  const isAllowed = (): boolean => mayGoOn(master.work);
  for (;;) {
    master.solve(isAllowed);
    let bound = isExact ? 0 : Number.NEGATIVE_INFINITY;
    for (let cover = 0; cover < covers; cover++)
      bound += realAt(duals, cover) * at(required, cover);
    let added = 0;
    for (let person = 0; person < people.length; person++) {
      if (!isAllowed()) return null;
      for (let cover = 0; cover < covers; cover++)
        prices[cover] = at(cellCost, person * covers + cover) - realAt(duals, cover);
      const row = solver.solve(start, person, prices, 0, days);
      if (row === null) return null;
      let price = 0;
      for (let day = 0; day < days; day++) price += realAt(prices, day * width + at(row, day));
      bound += price;
      if (price < realAt(duals, covers + person) - EPSILON && pool.add(person, row, 0).isNew)
        added++;
    }
    if (added === 0) return { prices: duals.slice(0, covers), bound };
  }
}
