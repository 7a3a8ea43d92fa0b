import { at, randomFrom, realAt } from './arrays.ts';
import { personWeekSolver } from './person-week.ts';
import type { Placement } from './placement.ts';
import type { RelaxedWeek } from './relaxed-week.ts';
import { NOBODY } from './seats.ts';
import { openTimetable } from './timetable.ts';

/** Random noise on prices at the start and at the end, in units of the average price. */
const NOISE_AT_START = 0.03;
const NOISE_AT_END = 0.003;
/** Share of the budget after which only real prices count. */
const SETTLING = 0.95;

interface CoordinateOptions {
  seed: number;
  /** The average price of a seat. */
  unit: number;
  /** Share of the budget that is used after so many people; 1 or more ends it. */
  used: (people: number) => number;
}

/**
 * Lets people agree on a week: one after another takes the week that is best for given prices of seats. At first these
 * are the prices of the bound, by which everybody may choose freely (Lagrangian relaxation, Held and Karp 1971); they
 * turn gradually into what a seat is worth beside everybody else's choice. Replaces what the open seats hold.
 */
export function coordinateWeek(
  week: RelaxedWeek,
  placement: Placement,
  prices: Float64Array,
  { seed, unit, used }: CoordinateOptions,
): void {
  const { model, needed, emptySeat } = week;
  const { seats, place } = placement;
  const solve = personWeekSolver(week);
  const random = randomFrom(seed);
  const timetable = openTimetable(model);
  const missing = needed.slice();
  const rows = Array.from({ length: model.people }, (): number[] => []);
  const take = (person: number, shift: number) => {
    timetable.add(person, shift);
    rows[person]?.push(shift);
    missing[shift] = at(missing, shift) - 1;
  };
  for (const [seat, person] of seats.holder.entries()) {
    if (person < 0) continue;
    if (seats.isOpen[seat] === 1) take(person, at(seats.shift, seat));
    else timetable.add(person, at(seats.shift, seat));
  }

  const mixed = new Float64Array(prices.length);
  for (let done = 0; ; done++) {
    const share = used(done);
    if (share >= 1) break;
    const isReal = share > SETTLING ? 1 : share ** 2;
    const noise = unit * NOISE_AT_START * (NOISE_AT_END / NOISE_AT_START) ** share;
    const person = (random() * model.people) | 0;
    for (const shift of rows[person] ?? []) {
      timetable.remove(person, shift);
      missing[shift] = at(missing, shift) + 1;
    }
    rows[person] = [];
    for (let shift = 0; shift < mixed.length; shift++) {
      const real = at(missing, shift) > 0 ? emptySeat : -emptySeat;
      const price = realAt(prices, shift) + isReal * (real - realAt(prices, shift));
      mixed[shift] = price - noise * Math.log(-Math.log(random() + 1e-15) + 1e-15);
    }
    // The solver leaves out weekly rest and days in a row.
    for (const shift of solve(person, mixed).shifts)
      if (timetable.fits(person, shift)) take(person, shift);
  }

  const open = [...seats.holder.keys()].filter((seat) => seats.isOpen[seat] === 1);
  for (const seat of open) place(seat, NOBODY);
  const free = new Map<number, number[]>();
  for (const seat of open)
    free.set(at(seats.shift, seat), [...(free.get(at(seats.shift, seat)) ?? []), seat]);
  for (const [person, row] of rows.entries())
    for (const shift of row) {
      const seat = free.get(shift)?.pop();
      if (seat !== undefined) place(seat, person);
    }
}
