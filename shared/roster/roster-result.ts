import { at } from './arrays.ts';
import { type Effective, effectiveRoster, rosterIndex } from './effective.ts';
import type { RosterPair } from './input.ts';
import type { RosterModel } from './model.ts';
import type { Placement } from './placement.ts';
import { type RosterScore, scoreOf } from './score.ts';
import { countEmpty } from './seats.ts';
import { unfilledReason } from './unfilled-reason.ts';

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

/** Describes a roster as the differences from another one. */
export function rosterResult(
  model: RosterModel,
  effective: Effective,
  placement: Placement,
  bound: number | null,
): RosterResult {
  const { input } = model;
  const { seats, timetable } = placement;
  const index = rosterIndex(input);
  const next = effectiveRoster(input);
  const assign: RosterPair[] = [];
  const unassign: RosterPair[] = [];
  for (const [number, { id }] of input.shifts.entries()) {
    const people = new Set<string>();
    for (let seat = at(seats.first, number); seat < at(seats.first, number + 1); seat++) {
      const person = input.people[at(seats.holder, seat)];
      if (person !== undefined) people.add(person.id);
    }
    for (const user_id of effective.peopleOn(id)) {
      if (people.has(user_id) || !index.people.has(user_id)) continue;
      unassign.push({ shift_id: id, user_id });
      next.unassign(id, user_id);
    }
    for (const user_id of people) {
      if (effective.peopleOn(id).has(user_id) || effective.absentOn(id).has(user_id)) continue;
      assign.push({ shift_id: id, user_id });
      next.assign(id, user_id);
    }
  }
  const unfilled = input.shifts.flatMap((shift, number) => {
    const empty = countEmpty(seats, number);
    if (empty === 0) return [];
    const reason =
      shift.start <= seats.now
        ? 'The shift has started: assign a replacement in Operations'
        : unfilledReason(input, next, shift);
    return [{ shift_id: shift.id, seats: empty, reason }];
  });
  const score = scoreOf(model, seats, timetable);
  const gap = bound === null || bound <= 0 ? null : Math.max(0, (score.total - bound) / bound);
  return { assign, unassign, score, bound, gap, unfilled };
}
