import { at, realAt } from './arrays.ts';
import type { RosterModel } from './model.ts';
import { NOBODY, type Seats } from './seats.ts';
import { openTimetable, type Timetable } from './timetable.ts';

/** Shifts that start and end at the same time: a person works at most one of them. */
export interface ShiftClass {
  start: number;
  end: number;
  /** Steps of the hours table, nights and Sundays that one of them counts. */
  steps: number;
  nights: number;
  sundays: number;
  shifts: Int32Array;
}

/** Open seats of one week, and who may take them beside the fixed shifts. */
export interface RelaxedWeek {
  model: RosterModel;
  /** Open seats of each shift. */
  needed: Int32Array;
  classes: readonly ShiftClass[];
  /** Shifts that the law lets a person work beside what is fixed, with their costs: by person, then by class. */
  choices: { shift: Int32Array; cost: Float64Array };
  /** Where the choices of a person begin, by `person * classes + class`, and the end of the last. */
  firstChoice: Int32Array;
  /** Already counted from the person's fixed shifts. */
  fixed: readonly { steps: number; nights: number; sundays: number; minutes: number }[];
  /** Cost of fixed seats, and of seats that nobody can take above `emptySeat`. */
  fixedCost: number;
  /** The highest price of a seat. Less than what an unfilled seat costs, so that prices find their level sooner. */
  emptySeat: number;
}

/** @returns null for rosters of several weeks or of odd lengths, whose people would have too many states */
export function relaxWeek(model: RosterModel, seats: Seats, emptySeat: number): RelaxedWeek | null {
  const { duties, shifts, people, costs } = model;
  const needed = new Int32Array(shifts);
  const weeks = new Set<number>();
  const timetable = openTimetable(model);
  let fixedCost = seats.changeCost;
  for (let seat = 0; seat < seats.shift.length; seat++) {
    const shift = at(seats.shift, seat);
    const person = at(seats.holder, seat);
    if (seats.isOpen[seat] === 1) {
      needed[shift] = at(needed, shift) + 1;
      weeks.add(at(duties.week, shift));
    } else if (person === NOBODY) fixedCost += model.unfilled;
    else if (person >= 0) {
      fixedCost += realAt(model.linear, person * shifts + shift);
      timetable.add(person, shift);
    }
  }
  const [week] = weeks;
  const isExact = model.input.shifts.every(({ start, end }) => (end - start) % costs.unit === 0);
  if (weeks.size !== 1 || week === undefined || !isExact) return null;

  const groups = new Map<string, number[]>();
  for (let shift = 0; shift < shifts; shift++) {
    if (at(needed, shift) === 0) continue;
    const key = `${at(duties.start, shift)} ${at(duties.end, shift)}`;
    groups.set(key, [...(groups.get(key) ?? []), shift]);
  }
  const classes = [...groups.values()].map((members): ShiftClass => {
    const [first = 0] = members;
    const [start, end] = [at(duties.start, first), at(duties.end, first)];
    return {
      start,
      end,
      steps: Math.floor((end - start) / costs.unit),
      nights: at(duties.night, first) >= 0 ? 1 : 0,
      sundays: at(duties.isSunday, first),
      shifts: Int32Array.from(members),
    };
  });
  classes.sort((a, b) => a.start - b.start || a.end - b.end);
  const shift: number[] = [];
  const cost: number[] = [];
  const firstChoice = new Int32Array(people * classes.length + 1);
  for (let person = 0; person < people; person++) {
    for (const [index, { shifts: members }] of classes.entries()) {
      for (const member of members) {
        if (!timetable.fits(person, member)) continue;
        shift.push(member);
        cost.push(realAt(model.linear, person * shifts + member));
      }
      firstChoice[person * classes.length + index + 1] = shift.length;
    }
  }
  const choices = { shift: Int32Array.from(shift), cost: Float64Array.from(cost) };
  const fixed = Array.from({ length: people }, (_, person) =>
    countFixed(model, timetable, person, week),
  );
  const relaxed = { model, needed, classes, choices, firstChoice, fixed, fixedCost, emptySeat };
  // Each seat that stays empty anyway costs what an unfilled seat does, whatever its price.
  return {
    ...relaxed,
    fixedCost: fixedCost + countUnfillable(relaxed) * (model.unfilled - emptySeat),
  };
}

function countFixed(model: RosterModel, timetable: Timetable, person: number, week: number) {
  const { duties, shifts, costs } = model;
  const counts = { steps: 0, nights: 0, sundays: 0, minutes: 0 };
  let minutes = 0;
  for (const duty of timetable.dutiesOf(person)) {
    const length = at(duties.end, duty) - at(duties.start, duty);
    if (at(duties.week, duty) === week) counts.minutes += length;
    if (duty >= shifts) continue;
    minutes += length;
    if (at(duties.night, duty) >= 0) counts.nights++;
    counts.sundays += at(duties.isSunday, duty);
  }
  counts.steps = Math.floor(minutes / costs.unit);
  return counts;
}

/** Seats that stay empty however people are put on the shifts of each class: the rest of a maximum matching. */
function countUnfillable({ model, needed, classes, choices, firstChoice }: RelaxedWeek): number {
  let unfillable = 0;
  for (const [index, { shifts }] of classes.entries()) {
    const people = new Map<number, number[]>(Array.from(shifts, (shift) => [shift, []]));
    for (let person = 0; person < model.people; person++) {
      const slot = person * classes.length + index;
      for (let place = at(firstChoice, slot); place < at(firstChoice, slot + 1); place++)
        people.get(at(choices.shift, place))?.push(person);
    }
    const shiftOf = new Map<number, number>();
    const findPerson = (shift: number, tried: Set<number>): boolean =>
      (people.get(shift) ?? []).some((person) => {
        if (tried.has(person)) return false;
        tried.add(person);
        const other = shiftOf.get(person);
        if (other !== undefined && !findPerson(other, tried)) return false;
        shiftOf.set(person, shift);
        return true;
      });
    for (const shift of shifts)
      for (let seat = 0; seat < at(needed, shift); seat++)
        if (!findPerson(shift, new Set())) unfillable++;
  }
  return unfillable;
}
