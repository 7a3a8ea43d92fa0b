import { at } from './arrays.ts';
import { pricedCandidates, raiseBound } from './bound.ts';
import { coordinateWeek } from './coordinate-week.ts';
import { effectiveRoster } from './effective.ts';
import { improve } from './improve.ts';
import type { RosterInput } from './input.ts';
import { compileModel } from './model.ts';
import { fillGreedily, openPlacement, type Placement } from './placement.ts';
import { relaxWeek } from './relaxed-week.ts';
import { type RosterResult, rosterResult } from './roster-result.ts';
import { type FillScope, NOBODY, openSeats } from './seats.ts';

/** Temperatures in units of cost; a guard at a site that is not known costs about 20. */
const HOT = 8;
const COOL = 2;
const COLD = 0.3;
const MOST_CANDIDATES = 60;
/** In units of the average price. */
const HIGHEST_PRICE = 20;
/** A round of the bound takes about as long as this many steps of the search for each person and class of shifts. */
const STEPS_OF_ROUND = 2;

/**
 * Until these shares of the budget: a quick search, for planners who stop early; prices; an agreement of all people
 * by them; a search that improves it. The bound rises in between, and its better prices tell that search who is promising.
 */
const FILLING = [
  { work: 'search', until: 0.1, from: HOT },
  { work: 'bound', until: 0.28, from: 0.6, to: 0.015 },
  { work: 'agreement', until: 0.74 },
  { work: 'bound', until: 0.82, from: 0.05, to: 0.003 },
  { work: 'search', until: 1, from: COOL },
] as const;
/** Several weeks have no prices. */
const FILLING_WEEKS = [{ work: 'search', until: 1, from: HOT }] as const;
/** A repair stays near the roster that it finds. */
const REPAIRING = [{ work: 'search', until: 1, from: COOL }] as const;

export interface FillOptions extends FillScope {
  seed: number;
  /** Share of the budget that is used after so many steps; 1 or more ends the search. */
  used: (steps: number) => number;
  /** Called with the first complete roster, with its bound, and then with better ones. */
  onProgress?: (best: RosterResult) => void;
  /** Whether it is time for the next call of `onProgress`. */
  isReportDue?: () => boolean;
}

/** Average cost of a seat in the greedy roster: where prices start, and the unit of their steps. */
function averagePrice({ seats, timetable }: Placement): number {
  let sum = 0;
  let filled = 0;
  for (let seat = 0; seat < seats.shift.length; seat++) {
    const person = at(seats.holder, seat);
    if (person < 0 || seats.isOpen[seat] !== 1) continue;
    sum -= timetable.changeCost(person, NOBODY, at(seats.shift, seat));
    filled++;
  }
  return Math.max(1, sum / Math.max(1, filled));
}

/** Puts the people back whom `holder` names. */
function restore({ seats, place }: Placement, holder: Int32Array): void {
  const changed = [...holder.keys()].filter((seat) => at(seats.holder, seat) !== at(holder, seat));
  for (const seat of changed) place(seat, NOBODY);
  for (const seat of changed) place(seat, at(holder, seat));
}

/**
 * Fills the seats of a roster: a legal one at once, then better ones until the budget is used. The same input, seed and
 * steps give the same roster.
 */
export function fillRoster(input: RosterInput, options: FillOptions): RosterResult {
  const { mode, seed, used, onProgress, isReportDue } = options;
  const effective = effectiveRoster(input);
  const model = compileModel(input);
  const seats = openSeats(model, effective, options);
  const placement = openPlacement(model, seats);
  fillGreedily(placement);

  const best = seats.holder.slice();
  const price = averagePrice(placement);
  const week = mode === 'repair' ? null : relaxWeek(model, seats, HIGHEST_PRICE * price);
  let prices: Float64Array = new Float64Array(input.shifts.length).fill(price);
  let bound: number | null = null;
  let steps = 0;
  const phases = mode === 'repair' ? REPAIRING : week === null ? FILLING_WEEKS : FILLING;
  const report = () => rosterResult(model, effective, placement, bound);
  onProgress?.(report());

  for (const { until, ...phase } of phases) {
    const before = steps;
    const since = used(before);
    const isOver = (done: number) => {
      steps = before + done;
      return used(steps) >= until;
    };
    if (phase.work === 'search') {
      improve(model, placement, {
        seed: seed + before,
        from: phase.from,
        to: COLD,
        used: (done) => (isOver(done) ? 1 : (used(steps) - since) / (until - since)),
        onBetter() {
          best.set(seats.holder);
          if (onProgress && isReportDue?.()) onProgress(report());
        },
      });
      restore(placement, best);
    } else if (phase.work === 'agreement' && week !== null) {
      const cost = placement.cost();
      coordinateWeek(week, placement, prices, {
        seed,
        unit: price,
        used: (people) =>
          isOver(people * STEPS_OF_ROUND * week.classes.length)
            ? 1
            : (used(steps) - since) / (until - since),
      });
      if (placement.cost() < cost) best.set(seats.holder);
      else restore(placement, best);
    } else if (week !== null && phase.work === 'bound') {
      const perRound = STEPS_OF_ROUND * model.people * week.classes.length;
      const raised = raiseBound(week, prices, {
        seed,
        from: phase.from * price,
        to: phase.to * price,
        used: (passes) => (isOver(passes * perRound) ? 1 : (used(steps) - since) / (until - since)),
      });
      prices = raised.prices;
      bound = Math.max(bound ?? raised.bound, raised.bound);
      placement.candidates = pricedCandidates(week, prices, MOST_CANDIDATES);
      onProgress?.(report());
    }
  }
  return report();
}
