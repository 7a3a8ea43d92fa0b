import { at, realAt } from './arrays.ts';
import type { RelaxedWeek, ShiftClass } from './relaxed-week.ts';

const IMPOSSIBLE = Number.POSITIVE_INFINITY;
const NONE = -1;

/** The cheapest week of one person: what it costs, and the shifts that it contains. */
interface PersonWeek {
  cost: number;
  shifts: number[];
}

export type PersonWeekSolver = (person: number, prices: Float64Array) => PersonWeek;

/** Possible sums of a week's shifts. State 0 is no shift. */
interface WeekStates {
  count: number;
  steps: Int32Array;
  nights: Int32Array;
  sundays: Int32Array;
  /** The state after a shift of a class, by `class * count + state`; -1 where the week has no more hours. */
  next: Int32Array;
}

function weekStates(classes: readonly ShiftClass[], mostSteps: number): WeekStates {
  const states = [{ steps: 0, nights: 0, sundays: 0 }];
  const numbers = new Map([['0 0 0', 0]]);
  const next: number[][] = [];
  for (const state of states) {
    next.push(
      classes.map((more) => {
        const steps = state.steps + more.steps;
        const nights = state.nights + more.nights;
        const sundays = state.sundays + more.sundays;
        if (steps > mostSteps) return NONE;
        const key = `${steps} ${nights} ${sundays}`;
        const known = numbers.get(key);
        if (known !== undefined) return known;
        numbers.set(key, states.length);
        return states.push({ steps, nights, sundays }) - 1;
      }),
    );
  }
  const count = states.length;
  return {
    count,
    steps: Int32Array.from(states, ({ steps }) => steps),
    nights: Int32Array.from(states, ({ nights }) => nights),
    sundays: Int32Array.from(states, ({ sundays }) => sundays),
    next: Int32Array.from(
      { length: classes.length * count },
      (_, place) => next[place % count]?.[(place / count) | 0] ?? NONE,
    ),
  };
}

/**
 * Finds each person's cheapest week when each shift pays a price, by dynamic programming over the classes of shifts in
 * the order of their starts. A state is what has been worked so far. Rest, hours of the week and all costs are exact;
 * weekly rest and days in a row are left out, so no legal week is cheaper.
 */
export function personWeekSolver(week: RelaxedWeek): PersonWeekSolver {
  const { model, classes, choices, firstChoice, fixed } = week;
  const { costs } = model;
  const { unit, hours, nights: nightCosts, sundays: sundayCosts } = costs;
  const states = weekStates(classes, Math.floor(model.weekMinutes / unit));
  const { count, next } = states;
  /** Cheapest by state, among those who have rested since their last shift, and that shift's class. */
  const rested = new Float64Array(count);
  const restedFrom = new Int32Array(count);
  /** Cheapest by `class * count + state`, among those whose last shift is of the class, and the class before. */
  const worked = new Float64Array(classes.length * count);
  const workedFrom = new Int32Array(classes.length * count);
  const chosen = new Int32Array(classes.length);
  const starts = Int32Array.from(classes, ({ start }) => start);
  const restedAt = Int32Array.from(classes, ({ end }) => end + model.rest);
  const byRest = Int32Array.from(
    [...classes.keys()].sort((a, b) => at(restedAt, a) - at(restedAt, b)),
  );

  function cheapestShift(person: number, index: number, prices: Float64Array): number {
    const slot = person * classes.length + index;
    const end = at(firstChoice, slot + 1);
    let least = IMPOSSIBLE;
    chosen[index] = NONE;
    for (let place = at(firstChoice, slot); place < end; place++) {
      const price = realAt(choices.cost, place) - realAt(prices, at(choices.shift, place));
      if (price >= least) continue;
      least = price;
      chosen[index] = at(choices.shift, place);
    }
    return least;
  }

  /** Lets those rest whose last shift is of a class. */
  function rest(index: number): void {
    if (at(chosen, index) === NONE) return;
    const offset = index * count;
    for (let state = 0; state < count; state++) {
      if (realAt(worked, offset + state) >= realAt(rested, state)) continue;
      rested[state] = realAt(worked, offset + state);
      restedFrom[state] = index;
    }
  }

  function work(index: number, price: number): void {
    const offset = index * count;
    worked.fill(IMPOSSIBLE, offset, offset + count);
    for (let state = 0; state < count; state++) {
      const target = at(next, offset + state);
      if (target === NONE || realAt(rested, state) === IMPOSSIBLE) continue;
      worked[offset + target] = realAt(rested, state) + price;
      workedFrom[offset + target] = at(restedFrom, state);
    }
  }

  return (person, prices) => {
    rested.fill(IMPOSSIBLE);
    restedFrom.fill(NONE);
    rested[0] = 0;
    let released = 0;
    for (let index = 0; index < classes.length; index++) {
      const price = cheapestShift(person, index, prices);
      if (price === IMPOSSIBLE) continue;
      for (; at(restedAt, at(byRest, released)) <= at(starts, index); released++)
        rest(at(byRest, released));
      work(index, price);
    }
    for (; released < byRest.length; released++) rest(at(byRest, released));
    return cheapest(person);
  };

  function cheapest(person: number): PersonWeek {
    const own = fixed[person] ?? { steps: 0, nights: 0, sundays: 0, minutes: 0 };
    const ofHours = person * hours.width + own.steps;
    const ofNights = person * nightCosts.width + own.nights;
    const ofSundays = person * sundayCosts.width + own.sundays;
    let best = 0;
    let cost = IMPOSSIBLE;
    for (let state = 0; state < count; state++) {
      if (realAt(rested, state) === IMPOSSIBLE) continue;
      const minutes = own.minutes + at(states.steps, state) * unit;
      if (state > 0 && minutes > model.weekMinutes) continue;
      const total =
        realAt(rested, state) +
        realAt(hours.cost, ofHours + at(states.steps, state)) +
        realAt(nightCosts.cost, ofNights + at(states.nights, state)) +
        realAt(sundayCosts.cost, ofSundays + at(states.sundays, state)) +
        Math.max(0, minutes - Math.max(costs.regularMinutes, own.minutes)) * costs.overtime;
      if (total >= cost) continue;
      cost = total;
      best = state;
    }
    return { cost, shifts: shiftsUpTo(best) };
  }

  function shiftsUpTo(last: number): number[] {
    const shifts: number[] = [];
    let state = last;
    let index = at(restedFrom, state);
    while (index !== NONE) {
      shifts.push(at(chosen, index));
      const before = at(workedFrom, index * count + state);
      const previous = next.indexOf(state, index * count) - index * count;
      state = previous;
      index = before;
    }
    return shifts;
  }
}
