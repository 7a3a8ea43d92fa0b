import { at } from './arrays.ts';
import type { Effective } from './effective.ts';
import type { RosterModel } from './model.ts';
import { problemsFor } from './problems.ts';

export type FillMode = 'fill' | 'refill' | 'repair';

export interface FillScope {
  mode: FillMode;
  /** The shifts that may change; all without it. */
  shiftIds?: readonly string[];
  /** Minutes since 1970; shifts that have started are not changed. */
  now?: number;
}

export const NOBODY = -1;
/** The seat is taken by someone whom the engine does not know. */
const SOMEBODY_ELSE = -2;

/** How much more than its weight a change costs while a roster is repaired. */
const REPAIR_FACTOR = 10;

/** The places of all shifts: each shift has as many in a row as it needs, or as are taken, and one for each absent guard. */
export interface Seats {
  shift: Int32Array;
  /** The person by number, NOBODY, or less for someone else. */
  holder: Int32Array;
  /** Whether the engine may change the holder. */
  isOpen: Uint8Array;
  /** The first seat of each shift, and after the last. */
  first: Int32Array;
  /** Shifts that have started by then are not changed. */
  now: number;
  /** Cost of leaving all people whom the engine may move where they are not. */
  changeCost: number;
}

/**
 * Lists the seats and who keeps theirs: who is pinned, has clocked in, was put there on purpose against a rule, or
 * whose shift has started or is out of scope. Filling keeps everyone; the other modes also take away what has become
 * illegal. Lowers the model's costs where staying saves a change.
 */
export function openSeats(model: RosterModel, effective: Effective, scope: FillScope): Seats {
  const { input, shifts, linear } = model;
  const numbers = new Map(input.people.map(({ id }, number) => [id, number]));
  const inScope = scope.shiftIds === undefined ? undefined : new Set(scope.shiftIds);
  const key = (shift: string, person: string) => `${shift} ${person}`;
  const kept = new Set(input.pins.map(({ shift_id, user_id }) => key(shift_id, user_id)));
  const published = new Set<string>();
  for (const { shift_id, user_id, clocked, override } of input.assignments) {
    published.add(key(shift_id, user_id));
    if (clocked || override) kept.add(key(shift_id, user_id));
  }
  for (const { shift_id, user_id, override_reason } of input.changes) {
    if (override_reason) kept.add(key(shift_id, user_id));
  }
  const perChange = input.rules.weight_change * (scope.mode === 'repair' ? REPAIR_FACTOR : 1);
  const shift: number[] = [];
  const holder: number[] = [];
  const isOpen: number[] = [];
  const first = [0];
  let changeCost = 0;
  const add = (number: number, who: number, open: boolean) => {
    shift.push(number);
    holder.push(who);
    isOpen.push(open ? 1 : 0);
  };

  const { now = Number.NEGATIVE_INFINITY } = scope;
  for (const [number, { id, headcount, start, end }] of input.shifts.entries()) {
    const isOutside = end <= now || inScope?.has(id) === false;
    const isFixed = isOutside || start <= now;
    let taken = 0;
    const movable: number[] = [];
    for (const personId of effective.peopleOn(id)) {
      const person = numbers.get(personId);
      const isKept = isFixed || scope.mode === 'fill' || kept.has(key(id, personId));
      if (isKept) {
        add(number, person ?? SOMEBODY_ELSE, false);
        taken++;
      } else if (person !== undefined) {
        const isChange = scope.mode === 'repair' || published.has(key(id, personId));
        const cost = isChange ? perChange : 0;
        changeCost += cost;
        linear[person * shifts + number] = (linear[person * shifts + number] ?? 0) - cost;
        if (problemsFor(input, effective, personId, id).length === 0) movable.push(person);
      }
    }
    // Their duty counts, and their seat is open.
    for (const personId of effective.absentOn(id)) {
      const person = numbers.get(personId);
      if (person !== undefined) add(number, person, false);
    }
    // What nobody asked to fill, or is over, is not open here.
    for (; taken < headcount && !isOutside; taken++)
      add(number, movable.shift() ?? NOBODY, !isFixed);
    first.push(shift.length);
  }
  return {
    shift: Int32Array.from(shift),
    holder: Int32Array.from(holder),
    isOpen: Uint8Array.from(isOpen),
    first: Int32Array.from(first),
    now,
    changeCost,
  };
}

/** Seats of the shifts in scope that nobody takes, by shift. */
export function countEmpty(seats: Seats, shift: number): number {
  let empty = 0;
  for (let seat = at(seats.first, shift); seat < at(seats.first, shift + 1); seat++)
    if (at(seats.holder, seat) === NOBODY) empty++;
  return empty;
}
