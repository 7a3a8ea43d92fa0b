import { dayName, dayNumber } from './calendar.ts';
import { type Effective, rosterIndex } from './effective.ts';
import type { RosterInput, RosterPerson } from './input.ts';

const MINUTES_OF_HOUR = 60;

export interface PersonTotals {
  /** Of the shifts of the roster. */
  hours: number;
  nights: number;
  shifts: number;
  /** Above the regular hours of a week, with duties outside the roster. */
  overtimeHours: number;
}

export interface RosterTotals {
  hours: number;
  overtimeHours: number;
  nights: number;
  seats: number;
  /** Seats that nobody has. */
  gaps: number;
  gapsBySite: ReadonlyMap<string, number>;
  /** By 'YYYY-MM-DD' of the company. */
  gapsByDay: ReadonlyMap<string, number>;
  people: ReadonlyMap<string, PersonTotals>;
}

/** What one guard works. Cheap: after a change of the draft only the guards concerned need it again. */
export function personTotals(
  input: RosterInput,
  effective: Effective,
  person: RosterPerson,
): PersonTotals {
  const { calendar, shifts } = rosterIndex(input);
  const weekOf = (minute: number) => calendar.weekOf(calendar.dayOf(minute));
  const first = calendar.weekOf(dayNumber(input.from));
  const last = calendar.weekOf(dayNumber(input.to));
  const totals = { hours: 0, nights: 0, shifts: 0, overtimeHours: 0 };
  const weekly = new Map<number, number>();
  const count = (start: number, end: number) => {
    const hours = (end - start) / MINUTES_OF_HOUR;
    weekly.set(weekOf(start), (weekly.get(weekOf(start)) ?? 0) + hours);
    return hours;
  };
  for (const [start, end] of person.outside) count(start, end);
  for (const id of effective.shiftsOf(person.id)) {
    const shift = shifts.get(id);
    if (shift === undefined) continue;
    totals.hours += count(shift.start, shift.end);
    totals.shifts++;
    totals.nights += calendar.nightsOf(shift.start, shift.end, input.rules.night_at).length;
  }
  for (const [week, hours] of weekly)
    if (week >= first && week <= last)
      totals.overtimeHours += Math.max(0, hours - input.rules.week_hours);
  return totals;
}

export function rosterTotals(input: RosterInput, effective: Effective): RosterTotals {
  const { calendar } = rosterIndex(input);
  const people = new Map(
    input.people.map((person) => [person.id, personTotals(input, effective, person)]),
  );
  const gapsBySite = new Map<string, number>();
  const gapsByDay = new Map<string, number>();
  let seats = 0;
  let gaps = 0;
  for (const shift of input.shifts) {
    seats += shift.headcount;
    const missing = Math.max(0, shift.headcount - effective.peopleOn(shift.id).size);
    if (missing === 0) continue;
    gaps += missing;
    const day = dayName(calendar.dayOf(shift.start));
    gapsBySite.set(shift.site_id, (gapsBySite.get(shift.site_id) ?? 0) + missing);
    gapsByDay.set(day, (gapsByDay.get(day) ?? 0) + missing);
  }
  const sum = (amount: (totals: PersonTotals) => number) =>
    [...people.values()].reduce((total, own) => total + amount(own), 0);
  return {
    hours: sum(({ hours }) => hours),
    overtimeHours: sum(({ overtimeHours }) => overtimeHours),
    nights: sum(({ nights }) => nights),
    seats,
    gaps,
    gapsBySite,
    gapsByDay,
    people,
  };
}
