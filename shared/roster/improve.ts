import { at, randomFrom } from './arrays.ts';
import type { RosterModel } from './model.ts';
import type { Placement } from './placement.ts';
import { NOBODY } from './seats.ts';

const STEPS_BETWEEN_LOOKS = 1024;
const SEVERAL = -2;
/** Share of the steps while there are empty seats. */
const SHARE_FOR_EMPTY = 0.2;

interface ImproveOptions {
  seed: number;
  /** Temperatures in units of cost. The cooling between them is geometric. */
  from: number;
  to: number;
  /** Share of the budget that is used after so many steps; 1 or more ends the search. */
  used: (steps: number) => number;
  /** Called with each roster that is better than all before. */
  onBetter: (cost: number) => void;
}

/**
 * Simulated annealing over legal rosters. A step gives a seat to another person. Where the law forbids that, the person
 * leaves another seat, which the one who had the first takes, or a third.
 */
export function improve(model: RosterModel, placement: Placement, options: ImproveOptions): void {
  const { seats, timetable, candidates, place, openSeatOf } = placement;
  const { start, end } = model.duties;
  const { from, to, used, onBetter } = options;
  const random = randomFrom(options.seed);
  const pick = (count: number) => (random() * count) | 0;
  const open = Int32Array.from([...seats.isOpen.keys()].filter((seat) => seats.isOpen[seat] === 1));
  if (open.length === 0) return;
  let temperature = from;
  let best = placement.cost();
  /** Seats that were empty at the last look. */
  let empty: number[] = [];

  /** A person who may work the shift, rather a promising one. */
  function pickCandidate(shift: number): number {
    const list = candidates[shift];
    if (list === undefined || list.length === 0) return NOBODY;
    return at(list, (list.length * random() ** 3) | 0);
  }

  /** The one shift of the person that is too near to `shift`; any of theirs where none is; SEVERAL where many are. */
  function pickOther(person: number, shift: number): number {
    const row = timetable.dutiesOf(person);
    const since = at(start, shift) - model.rest;
    const until = at(end, shift) + model.rest;
    let near = NOBODY;
    for (const duty of row) {
      if (at(start, duty) >= until || at(end, duty) <= since) continue;
      if (near !== NOBODY) return SEVERAL;
      near = duty;
    }
    return near === NOBODY ? (row[pick(row.length)] ?? NOBODY) : near;
  }

  /** Gives `seat` to a person who leaves another seat for it. @returns whether it was done */
  function exchange(seat: number, person: number, tolerance: number): void {
    const shift = at(seats.shift, seat);
    const holder = at(seats.holder, seat);
    const other = pickOther(person, shift);
    if (other < 0 || other >= model.shifts || other === shift) return;
    const otherSeat = openSeatOf(person, other);
    if (otherSeat < 0 || !timetable.fits(person, shift, other)) return;
    const change = timetable.changeCost(person, shift, other);

    if (holder !== NOBODY && timetable.fits(holder, other, shift)) {
      if (change + timetable.changeCost(holder, other, shift) > tolerance) return;
      place(otherSeat, NOBODY);
      place(seat, person);
      place(otherSeat, holder);
      return;
    }
    const freed = holder === NOBODY ? -model.unfilled : timetable.changeCost(holder, -1, shift);
    const third = pickCandidate(other);
    if (third !== NOBODY && third !== person && third !== holder && timetable.fits(third, other)) {
      if (change + freed + timetable.changeCost(third, other, -1) > tolerance) return;
      place(otherSeat, third);
      place(seat, person);
    } else if (holder === NOBODY && change <= tolerance) {
      place(otherSeat, NOBODY);
      place(seat, person);
    }
  }

  function step(): void {
    const isForEmpty = empty.length > 0 && random() < SHARE_FOR_EMPTY;
    const seat = isForEmpty ? (empty[pick(empty.length)] ?? 0) : at(open, pick(open.length));
    const shift = at(seats.shift, seat);
    const holder = at(seats.holder, seat);
    const person = pickCandidate(shift);
    if (person === NOBODY || person === holder) return;
    const tolerance = -temperature * Math.log(random() + 1e-12);
    if (!timetable.fits(person, shift)) {
      exchange(seat, person, tolerance);
      return;
    }
    const freed = holder === NOBODY ? -model.unfilled : timetable.changeCost(holder, -1, shift);
    if (freed + timetable.changeCost(person, shift, -1) <= tolerance) place(seat, person);
  }

  for (let steps = 0; ; steps++) {
    if (steps % STEPS_BETWEEN_LOOKS === 0) {
      const share = used(steps);
      if (share >= 1) return;
      temperature = from * (to / from) ** share;
      empty = [...open].filter((seat) => at(seats.holder, seat) === NOBODY);
    }
    step();
    if (placement.cost() < best - 1e-6) {
      best = placement.cost();
      onBetter(best);
    }
  }
}
