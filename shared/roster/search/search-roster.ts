import { anneal } from './anneal.ts';
import { firstRoster } from './first-roster.ts';
import { polish } from './polish.ts';
import { type Roster, type RosterProblem, softCost } from './problem.ts';
import { rowRules } from './row-rules.ts';
import { rowSolver } from './row-solver.ts';

/** Share of the budget for annealing; exact rows take the rest. */
const ANNEALING = 0.85;
/** States that the row solver reaches in the time of an annealing step. */
const STATES_PER_STEP = 5;

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
  /** Ids of people whose rows break a rule, because no legal row was found for them. */
  illegal: string[];
}

/** Searches the cheapest legal roster until the budget is used. */
export function searchRoster(problem: RosterProblem, options: SearchOptions): SearchResult {
  const { seed } = options;
  const solver = rowSolver(problem);
  const brokenRules = rowRules(problem);
  const illegalIn = (roster: Roster): string[] =>
    problem.people.filter((_, person) => brokenRules(roster, person) > 0).map(({ id }) => id);

  let best = firstRoster(problem, solver, seed).roster;
  let bestCost = softCost(problem, best);
  let isLegal = illegalIn(best).length === 0;
  const keep = (roster: Roster, cost: number): void => {
    if (isLegal && cost >= bestCost) return;
    best = roster.slice();
    bestCost = cost;
    isLegal = true;
    options.onBetter?.(best, cost);
  };
  if (isLegal) options.onBetter?.(best, bestCost);

  let steps = 0;
  const used = (): number => options.used(steps + solver.work() / STATES_PER_STEP);
  const begun = used();
  const annealingEnd = begun + (1 - begun) * ANNEALING;
  anneal(problem, {
    seed,
    start: best,
    from: 40,
    to: 0.5,
    used: (done) => {
      steps = done;
      return (used() - begun) / (annealingEnd - begun);
    },
    onBetter: keep,
  });
  if (isLegal)
    polish(problem, solver, {
      seed,
      start: best,
      from: 2,
      to: 0.05,
      used: () => (used() - annealingEnd) / (1 - annealingEnd),
      onBetter: keep,
    });
  return { roster: best, cost: bestCost, illegal: illegalIn(best) };
}
