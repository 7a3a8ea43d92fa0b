import { type Effective, effectiveRoster, rosterIndex } from './effective.ts';
import { improve } from './improve.ts';
import type { RosterInput, RosterPair } from './input.ts';
import { compileModel, type RosterModel } from './model.ts';
import { fillGreedily, openPlacement, type Placement } from './placement.ts';
import { type RosterScore, scoreOf } from './score.ts';
import { at } from './search/problem.ts';
import { countEmpty, type FillScope, NOBODY, openSeats } from './seats.ts';
import { unfilledReason } from './unfilled-reason.ts';

/** Units of cost; a guard on a site that is not known costs about 20. */
const HOT = 20;
const COLD = 0.3;

export interface RosterResult {
  /** The differences from the roster that the engine was given. */
  assign: RosterPair[];
  unassign: RosterPair[];
  score: RosterScore;
  /** No roster of these shifts and people costs less; null while it is not known. */
  bound: number | null;
  /** How far the score is above the bound at most, as a share of the bound: 0.012 is 1.2 %. */
  gap: number | null;
  unfilled: { shift_id: string; seats: number; reason: string }[];
}

export interface FillOptions extends FillScope {
  seed: number;
  /** Share of the budget that is used after so many steps; 1 or more ends the search. */
  used: (steps: number) => number;
  /** Called with the first complete roster and then with better ones, as often as the caller's clock allows. */
  onProgress?: (best: RosterResult) => void;
  /** Whether it is time for the next call of `onProgress`. */
  isReportDue?: () => boolean;
}

function describeRoster(
  model: RosterModel,
  effective: Effective,
  placement: Placement,
): RosterResult {
  const { input } = model;
  const { seats, timetable } = placement;
  const index = rosterIndex(input);
  const next = effectiveRoster(input);
  const assign: RosterPair[] = [];
  const unassign: RosterPair[] = [];
  const empty: number[] = [];
  for (const [number, shift] of input.shifts.entries()) {
    const people = new Set<string>();
    for (let seat = at(seats.first, number); seat < at(seats.first, number + 1); seat++) {
      const person = input.people[at(seats.holder, seat)];
      if (person !== undefined) people.add(person.id);
    }
    for (const user_id of effective.peopleOn(shift.id)) {
      if (people.has(user_id) || !index.people.has(user_id)) continue;
      unassign.push({ shift_id: shift.id, user_id });
      next.unassign(shift.id, user_id);
    }
    for (const user_id of people) {
      if (effective.peopleOn(shift.id).has(user_id)) continue;
      assign.push({ shift_id: shift.id, user_id });
      next.assign(shift.id, user_id);
    }
    if (countEmpty(seats, number) > 0) empty.push(number);
  }
  const unfilled = empty.flatMap((number) => {
    const shift = input.shifts[number];
    if (shift === undefined) return [];
    const reason = unfilledReason(input, next, shift);
    return [{ shift_id: shift.id, seats: countEmpty(seats, number), reason }];
  });
  return {
    assign,
    unassign,
    score: scoreOf(model, seats, timetable),
    bound: null,
    gap: null,
    unfilled,
  };
}

/**
 * Fills the seats of a roster: a legal one at once, then better ones until the budget is used. The same input, seed and
 * steps give the same roster.
 */
export async function fillRoster(input: RosterInput, options: FillOptions): Promise<RosterResult> {
  const effective = effectiveRoster(input);
  const model = compileModel(input);
  const seats = openSeats(model, effective, options);
  const placement = openPlacement(model, seats);
  fillGreedily(placement);
  options.onProgress?.(describeRoster(model, effective, placement));

  const best = { cost: placement.cost(), holder: seats.holder.slice() };
  const restore = () => {
    for (let seat = 0; seat < seats.holder.length; seat++)
      if (at(seats.holder, seat) !== at(best.holder, seat)) placement.place(seat, NOBODY);
    for (let seat = 0; seat < seats.holder.length; seat++)
      if (at(seats.holder, seat) !== at(best.holder, seat))
        placement.place(seat, at(best.holder, seat));
  };
  improve(model, placement, {
    seed: options.seed,
    from: HOT,
    to: COLD,
    used: options.used,
    onBetter(cost) {
      best.cost = cost;
      best.holder.set(seats.holder);
      if (options.onProgress && options.isReportDue?.())
        options.onProgress(describeRoster(model, effective, placement));
    },
  });
  restore();
  return describeRoster(model, effective, placement);
}
