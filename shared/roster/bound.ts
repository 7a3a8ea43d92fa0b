import { at, randomFrom, realAt } from './arrays.ts';
import { type PersonWeekSolver, personWeekSolver } from './person-week.ts';
import type { RelaxedWeek } from './relaxed-week.ts';

/** Passes between two looks at the bound, each of which takes as long as a pass. */
const PASSES_BETWEEN_LOOKS = 8;

/**
 * The Lagrangian bound: each seat pays a price to who fills it, an empty one costs no more than `week.emptySeat`, and
 * each person takes the best week alone. Valid for any prices up to that (Geoffrion 1974).
 */
function boundAt(week: RelaxedWeek, solve: PersonWeekSolver, prices: Float64Array): number {
  const { needed } = week;
  let bound = week.fixedCost;
  for (let shift = 0; shift < needed.length; shift++)
    bound += realAt(prices, shift) * at(needed, shift);
  for (let person = 0; person < week.model.people; person++) bound += solve(person, prices).cost;
  return bound;
}

interface RaiseOptions {
  seed: number;
  /** How much a price changes when a person takes the shift, at first and at last. */
  from: number;
  to: number;
  /** Share of the budget that is used after so many passes over all people; 1 or more ends it. */
  used: (passes: number) => number;
}

/**
 * Raises the bound by moving prices: they fall where people take the shift and rise where it stays empty, after each
 * person (incremental subgradient method, Nedić and Bertsekas 2001). Looks at the average prices of a pass.
 */
export function raiseBound(
  week: RelaxedWeek,
  start: Float64Array,
  { seed, from, to, used }: RaiseOptions,
): { bound: number; prices: Float64Array } {
  const { needed, model, emptySeat } = week;
  const { people } = model;
  const solve = personWeekSolver(week);
  const random = randomFrom(seed);
  const order = Int32Array.from({ length: people }, (_, person) => person);
  const prices = start.map((price) => Math.min(price, emptySeat));
  const average = prices.slice();
  let best = { bound: Number.NEGATIVE_INFINITY, prices: start };
  const look = () => {
    const bound = boundAt(week, solve, average);
    if (bound > best.bound) best = { bound, prices: average.slice() };
  };
  let passes = 0;
  for (let share = used(0); share < 1; share = used(passes)) {
    const step = from * (to / from) ** share;
    shuffle(order, random);
    average.fill(0);
    for (let place = 0; place < people; place++) {
      const { shifts } = solve(at(order, place), prices);
      for (const shift of shifts) prices[shift] = realAt(prices, shift) - step;
      for (let shift = 0; shift < prices.length; shift++) {
        const price = realAt(prices, shift) + (step * at(needed, shift)) / people;
        prices[shift] = Math.min(price, emptySeat);
        average[shift] = realAt(average, shift) + realAt(prices, shift) / people;
      }
    }
    passes++;
    if (passes % PASSES_BETWEEN_LOOKS === 0) {
      look();
      passes++;
    }
  }
  look();
  return best;
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = (random() * (last + 1)) | 0;
    const moved = at(order, last);
    order[last] = at(order, other);
    order[other] = moved;
  }
}

/**
 * People for each shift by what they lose when they take it instead of the best shift at that time, the least first.
 * @param most people for a shift
 */
export function pricedCandidates(
  week: RelaxedWeek,
  prices: Float64Array,
  most: number,
): Int32Array[] {
  const { classes, choices, firstChoice, model } = week;
  const lists = Array.from({ length: model.shifts }, (): [number, number][] => []);
  const gain = (place: number) =>
    realAt(choices.cost, place) - realAt(prices, at(choices.shift, place));
  for (let slot = 0; slot < model.people * classes.length; slot++) {
    const person = (slot / classes.length) | 0;
    const first = at(firstChoice, slot);
    const end = at(firstChoice, slot + 1);
    let least = Number.POSITIVE_INFINITY;
    for (let place = first; place < end; place++) least = Math.min(least, gain(place));
    for (let place = first; place < end; place++)
      lists[at(choices.shift, place)]?.push([person, gain(place) - least]);
  }
  return lists.map((list) =>
    Int32Array.from(list.sort((a, b) => a[1] - b[1]).slice(0, most), ([person]) => person),
  );
}
