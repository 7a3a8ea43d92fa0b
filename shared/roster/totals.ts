import { dayNumber } from './calendar.ts';
import { type Effective, rosterIndex } from './effective.ts';
import type { RosterInput, RosterPerson } from './input.ts';

const MINUTES_OF_HOUR = 60;

export interface PersonTotals {
  /** In the roster's shifts. */
  hours: number;
  nights: number;
  shifts: number;
  /** Above the regular hours of a week, with duties outside the roster. */
  overtimeHours: number;
}

/** Cheap: after a change of the draft only the guards concerned need it again. */
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
