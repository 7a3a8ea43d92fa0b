import { at, realAt } from './arrays.ts';
import type { RosterModel } from './model.ts';
import { NOBODY, type Seats } from './seats.ts';
import { openTimetable, type Timetable } from './timetable.ts';

/** A roster that can change: seats, the people's timetables, and what both cost. */
export interface Placement {
  readonly seats: Seats;
  readonly timetable: Timetable;
  /** People who may work a shift, the most promising first. */
  candidates: readonly Int32Array[];
  cost: () => number;
  /** Gives a seat to a person or to nobody. */
  place: (seat: number, person: number) => void;
  /** The seat of a person on a shift that the engine may change, or -1. */
  openSeatOf: (person: number, shift: number) => number;
}

function sortCandidates({ people, shifts, allowed, linear }: RosterModel): Int32Array[] {
  return Array.from({ length: shifts }, (_, shift) => {
    const list: number[] = [];
    for (let person = 0; person < people; person++)
      if (allowed[person * shifts + shift] === 1) list.push(person);
    list.sort((a, b) => realAt(linear, a * shifts + shift) - realAt(linear, b * shifts + shift));
    return Int32Array.from(list);
  });
}

/** Cost of people who work nothing. */
function idleCost({ people, costs }: RosterModel): number {
  let cost = 0;
  for (let person = 0; person < people; person++)
    for (const table of [costs.hours, costs.nights, costs.sundays])
      cost += realAt(table.cost, person * table.width);
  return cost;
}

export function openPlacement(model: RosterModel, seats: Seats): Placement {
  const timetable = openTimetable(model);
  let cost = seats.changeCost + idleCost(model);
  for (let seat = 0; seat < seats.shift.length; seat++) {
    const person = at(seats.holder, seat);
    if (person === NOBODY) cost += model.unfilled;
    if (person < 0) continue;
    cost += timetable.changeCost(person, at(seats.shift, seat), -1);
    timetable.add(person, at(seats.shift, seat));
  }
  return {
    seats,
    timetable,
    candidates: sortCandidates(model),
    cost: () => cost,
    place(seat, person) {
      const shift = at(seats.shift, seat);
      const before = at(seats.holder, seat);
      if (before === person) return;
      if (before === NOBODY) cost -= model.unfilled;
      else {
        cost += timetable.changeCost(before, -1, shift);
        timetable.remove(before, shift);
      }
      if (person === NOBODY) cost += model.unfilled;
      else {
        cost += timetable.changeCost(person, shift, -1);
        timetable.add(person, shift);
      }
      seats.holder[seat] = person;
    },
    openSeatOf(person, shift) {
      for (let seat = at(seats.first, shift); seat < at(seats.first, shift + 1); seat++)
        if (at(seats.holder, seat) === person && seats.isOpen[seat] === 1) return seat;
      return -1;
    },
  };
}

/** Gives each empty seat to the cheapest person whom the law lets work it; the seats with the fewest candidates first. */
export function fillGreedily({ seats, timetable, candidates, place }: Placement): void {
  const empty = [...seats.holder.keys()].filter(
    (seat) => at(seats.holder, seat) === NOBODY && seats.isOpen[seat] === 1,
  );
  const choices = (seat: number) => candidates[at(seats.shift, seat)]?.length ?? 0;
  empty.sort((a, b) => choices(a) - choices(b));
  for (const seat of empty) {
    const shift = at(seats.shift, seat);
    let best = NOBODY;
    let least = Number.POSITIVE_INFINITY;
    for (const person of candidates[shift] ?? []) {
      const cost = timetable.changeCost(person, shift, -1);
      if (cost >= least || !timetable.fits(person, shift)) continue;
      best = person;
      least = cost;
    }
    if (best !== NOBODY) place(seat, best);
  }
}
