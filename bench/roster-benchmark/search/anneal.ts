import { at, randomFrom } from '#shared/roster/arrays.ts';
import {
  costRange,
  countCover,
  coverCost,
  type Roster,
  type RosterProblem,
  softCost,
} from './problem.ts';
import { RowTallies } from './row-tallies.ts';

const STEPS_BETWEEN_LOOKS = 512;
const LONGEST_CHANGE = 6;
const LONGEST_SWAP = 9;

interface AnnealOptions {
  seed: number;
  start: Roster;
  /** Temperatures in units of cost. The cooling between them is geometric. */
  from: number;
  to: number;
  /** Share of the budget that is used after so many steps; 1 or more ends the search. */
  used: (steps: number) => number;
  /** Called with each legal roster that is better than all before. The roster is reused: copy it. */
  onBetter: (roster: Roster, cost: number) => void;
}

/**
 * Simulated annealing over three moves: give a block of days of one person one kind, swap a block of days between two
 * people, and shift a block of one person by a day. A broken rule costs twice what a missing person costs at most, so
 * that the search passes through illegal rosters but does not stay there.
 */
export function anneal(problem: RosterProblem, options: AnnealOptions): void {
  const { days, people, kinds, cellCost, unavailable } = problem;
  const { start, from, to, used, onBetter } = options;
  const width = kinds.length + 1;
  const random = randomFrom(options.seed);
  const pick = (count: number) => (random() * count) | 0;
  const ruleCost = 2 * Math.max(100, costRange(problem.underCost, 0).greatest);

  const roster = start.slice();
  const cover = countCover(problem, roster);
  const tallies = new RowTallies(problem, roster);
  const { broken } = tallies;
  let totalBroken = broken.reduce((sum, count) => sum + count, 0);
  let cost = softCost(problem, roster);
  let best = Number.POSITIVE_INFINITY;

  const allowed = people.map((rules) =>
    Int32Array.from([...rules.maxOfKind.keys()].filter((kind) => at(rules.maxOfKind, kind) > 0)),
  );
  const mayWork = Int32Array.from({ length: people.length * width }, (_, index) => {
    const kind = index % width;
    return kind === 0 || (people[(index / width) | 0]?.maxOfKind[kind] ?? 0) > 0 ? 1 : 0;
  });

  const before = new Int32Array(LONGEST_SWAP);
  const beforeOther = new Int32Array(LONGEST_SWAP);
  let temperature = from;
  /** How much worse the next step may be. */
  let tolerance = 0;

  const noteBest = (): void => {
    if (totalBroken > 0 || cost >= best) return;
    best = cost;
    onBetter(roster, cost);
  };

  /** Replaces the kinds of some days of one person. @returns the change of cost */
  function writeDay(person: number, day: number, kind: number): number {
    const cell = person * days + day;
    const old = at(roster, cell);
    const index = day * width;
    let change = at(cellCost, cell * width + kind) - at(cellCost, cell * width + old);
    if (old > 0) change -= coverCost(problem, index + old, at(cover, index + old) - 1);
    if (kind > 0) change += coverCost(problem, index + kind, at(cover, index + kind));
    roster[cell] = kind;
    return change;
  }

  /** Keeps or reverts what `writeDay` changed in `[first, end)`; `before` has the kinds from there. */
  function settle(person: number, first: number, end: number, change: number): void {
    const offset = person * days;
    const was = at(broken, person);
    // The row has its best possible rules when none is broken: often enough to know that the step is refused.
    if (change - ruleCost * was <= tolerance) {
      const is = tallies.after(person, first, end, before);
      if (change + ruleCost * (is - was) <= tolerance) {
        for (let day = first; day < end; day++) {
          const old = at(before, day - first);
          const kind = at(roster, offset + day);
          if (old === kind) continue;
          if (old > 0) cover[day * width + old] = at(cover, day * width + old) - 1;
          if (kind > 0) cover[day * width + kind] = at(cover, day * width + kind) + 1;
        }
        tallies.accept(person, first, end, before, is);
        totalBroken += is - was;
        cost += change;
        noteBest();
        return;
      }
    }
    for (let day = first; day < end; day++) roster[offset + day] = at(before, day - first);
  }

  function changeBlock(): void {
    const person = pick(people.length);
    const first = pick(days);
    const length = random() < 0.4 ? 1 : 1 + pick(LONGEST_CHANGE);
    const end = Math.min(days, first + length);
    const choices = allowed[person];
    const kind = choices === undefined || random() < 0.35 ? 0 : at(choices, pick(choices.length));
    const offset = person * days;
    let change = 0;
    let isSame = true;
    for (let day = first; day < end; day++) {
      const old = at(roster, offset + day);
      const next = at(unavailable, offset + day) === 1 ? 0 : kind;
      before[day - first] = old;
      if (next === old) continue;
      isSame = false;
      change += writeDay(person, day, next);
    }
    if (!isSame) settle(person, first, end, change);
  }

  function shiftBlock(): void {
    const person = pick(people.length);
    const first = pick(days - 1);
    const end = Math.min(days, first + 2 + pick(LONGEST_SWAP - 2));
    const length = end - first;
    const step = random() < 0.5 ? 1 : length - 1;
    const offset = person * days;
    for (let day = first; day < end; day++) before[day - first] = at(roster, offset + day);
    let isSame = true;
    for (let index = 0; index < length; index++) {
      const kind = at(before, (index + step) % length);
      if (kind > 0 && at(unavailable, offset + first + index) === 1) return;
      if (kind !== at(before, index)) isSame = false;
    }
    if (isSame) return;
    let change = 0;
    for (let index = 0; index < length; index++) {
      const kind = at(before, (index + step) % length);
      if (kind !== at(before, index)) change += writeDay(person, first + index, kind);
    }
    settle(person, first, end, change);
  }

  function swapBlock(): void {
    const one = pick(people.length);
    let other = pick(people.length - 1);
    if (other >= one) other++;
    const first = pick(days);
    const end = Math.min(days, first + (random() < 0.3 ? 1 : 1 + pick(LONGEST_SWAP)));
    const oneStart = one * days;
    const otherStart = other * days;
    let change = 0;
    let isSame = true;
    for (let day = first; day < end; day++) {
      const a = at(roster, oneStart + day);
      const b = at(roster, otherStart + day);
      if (a === b) continue;
      if (b > 0 && (at(unavailable, oneStart + day) === 1 || at(mayWork, one * width + b) === 0))
        return;
      if (
        a > 0 &&
        (at(unavailable, otherStart + day) === 1 || at(mayWork, other * width + a) === 0)
      )
        return;
      isSame = false;
      const oneCosts = (oneStart + day) * width;
      const otherCosts = (otherStart + day) * width;
      change += at(cellCost, oneCosts + b) - at(cellCost, oneCosts + a);
      change += at(cellCost, otherCosts + a) - at(cellCost, otherCosts + b);
    }
    const was = at(broken, one) + at(broken, other);
    if (isSame || change - ruleCost * was > tolerance) return;
    for (let day = first; day < end; day++) {
      before[day - first] = at(roster, oneStart + day);
      beforeOther[day - first] = at(roster, otherStart + day);
    }
    swapDays(oneStart, otherStart, first, end);
    const oneIs = tallies.after(one, first, end, before);
    if (change + ruleCost * (oneIs - was) <= tolerance) {
      const otherIs = tallies.after(other, first, end, beforeOther);
      const more = oneIs + otherIs - was;
      if (change + ruleCost * more <= tolerance) {
        tallies.accept(one, first, end, before, oneIs);
        tallies.accept(other, first, end, beforeOther, otherIs);
        totalBroken += more;
        cost += change;
        noteBest();
        return;
      }
    }
    swapDays(oneStart, otherStart, first, end);
  }

  function swapDays(oneStart: number, otherStart: number, first: number, end: number): void {
    for (let day = first; day < end; day++) {
      const kind = at(roster, oneStart + day);
      roster[oneStart + day] = at(roster, otherStart + day);
      roster[otherStart + day] = kind;
    }
  }

  noteBest();
  for (let step = 0; ; step++) {
    if (step % STEPS_BETWEEN_LOOKS === 0) {
      const share = used(step);
      if (share >= 1) return;
      temperature = from * (to / from) ** share;
    }
    tolerance = -temperature * Math.log(random() + 1e-12);
    const move = random();
    if (move < 0.5) changeBlock();
    else if (move < 0.9 && people.length > 1) swapBlock();
    else if (days > 1) shiftBlock();
  }
}
