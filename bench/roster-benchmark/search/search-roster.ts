import { anneal } from './anneal.ts';
import { coordinate, isWholeRow, statesOfSweep } from './coordinate.ts';
import { firstRoster } from './first-roster.ts';
import { type Roster, type RosterProblem, softCost } from './problem.ts';
import { rowRules } from './row-rules.ts';
import { rowSolver } from './row-solver.ts';
import { masterWork, type ShadowPrices, shadowPrices } from './shadow-prices.ts';

/** Shares of the budget at which the stages end. */
const FIRST_ANNEALING = 0.08;
const PRICING = 0.5;
const COORDINATION = 0.95;
/** With fewer sweeps over all rows, annealing makes better use of the budget. */
const FEWEST_SWEEPS = 60;
/** States that are reached of those that could be. */
const REACHED = 0.2;
/** States that the row solver reaches, and multiplications of the master program, in the time of an annealing step. */
const STATES_PER_STEP = 5;
const MULTIPLICATIONS_PER_STEP = 60;
/** Rounding errors of the bound. */
const ROUNDING = 1e-3;
/** Sweeps that are better spent on a second pass of coordination than on a longer first one. */
const SWEEPS_OF_TWO_PASSES = 600;

export interface SearchOptions {
  seed: number;
  /**
   * Share of the budget that is used after so much work, in annealing steps; 1 or more ends the search. When it depends
   * on the work alone, so does the result.
   */
  used: (work: number) => number;
  /** Called with each legal roster that is better than all before. The roster is reused: copy it. */
  onBetter?: (roster: Roster, cost: number) => void;
}

export interface SearchResult {
  roster: Roster;
  cost: number;
  /** No legal roster costs less; minus infinity when that is not known. */
  bound: number;
  /** Ids of people whose rows break a rule, because no legal row was found for them. */
  illegal: string[];
}

/** Searches the cheapest legal roster until the budget is used, or until none can be cheaper. */
export function searchRoster(problem: RosterProblem, options: SearchOptions): SearchResult {
  const { seed } = options;
  const solver = rowSolver(problem);
  const brokenRules = rowRules(problem);
  const illegalIn = (roster: Roster): string[] =>
    problem.people.filter((_, person) => brokenRules(roster, person) > 0).map(({ id }) => id);

  let best = firstRoster(problem, solver, seed);
  let bestCost = softCost(problem, best);
  let isLegal = illegalIn(best).length === 0;
  let bound = Number.NEGATIVE_INFINITY;
  const keep = (roster: Roster, cost: number): void => {
    if (isLegal && cost >= bestCost) return;
    best = roster.slice();
    bestCost = cost;
    isLegal = true;
    options.onBetter?.(best, cost);
  };
  if (isLegal) options.onBetter?.(best, bestCost);

  let annealed = 0;
  let multiplied = 0;
  const isProven = (): boolean => isLegal && bestCost <= Math.ceil(bound - ROUNDING);
  const work = (): number =>
    annealed + solver.work() / STATES_PER_STEP + multiplied / MULTIPLICATIONS_PER_STEP;
  const used = (): number => (isProven() ? 1 : options.used(work()));
  /** Share of a stage that begins now and ends at a share of the whole. */
  const until = (end: number): (() => number) => {
    const begin = used();
    return () => (end > begin ? (used() - begin) / (end - begin) : 1);
  };
  const annealUntil = (end: number, from: number): void => {
    const before = annealed;
    const stage = until(end);
    anneal(problem, {
      seed,
      start: best,
      from,
      to: 0.5,
      used: (steps) => {
        annealed = before + steps;
        return stage();
      },
      onBetter: keep,
    });
  };

  annealUntil(FIRST_ANNEALING, 40);
  /** Work that the whole budget is expected to be good for. */
  const budget = work() / Math.max(1e-9, used());
  const sweep = (REACHED * statesOfSweep(problem, solver)) / STATES_PER_STEP;
  if (!isLegal || sweep * FEWEST_SWEEPS > budget) annealUntil(COORDINATION, 40);
  if (!isLegal) annealUntil(1, 40);
  if (!isLegal) return { roster: best, cost: bestCost, bound, illegal: illegalIn(best) };

  let shadow: ShadowPrices | null = null;
  const hasWholeRows = problem.people.every((_, person) => isWholeRow(problem, solver, person));
  if (hasWholeRows && masterWork(problem) / MULTIPLICATIONS_PER_STEP < PRICING * budget) {
    const stage = until(PRICING);
    shadow = shadowPrices(problem, solver, best, (done) => {
      multiplied = done;
      return stage() < 1;
    });
    bound = shadow?.bound ?? bound;
  }
  const begin = used();
  const passes = ((1 - begin) * budget) / sweep < SWEEPS_OF_TWO_PASSES ? 1 : 2;
  for (let pass = 0; pass < passes; pass++)
    coordinate(problem, solver, {
      seed: seed * passes + pass,
      start: best,
      prices: shadow?.prices ?? null,
      used: until(begin + ((COORDINATION - begin) * (pass + 1)) / passes),
      onBetter: keep,
    });
  annealUntil(1, 3);
  return { roster: best, cost: bestCost, bound, illegal: illegalIn(best) };
}
