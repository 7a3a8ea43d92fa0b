import { at, realAt } from './arrays.ts';
import { compileDuties, type Duties, MARGIN_DAYS } from './duties.ts';
import { rosterIndex } from './effective.ts';
import { eligibilityProblems } from './eligibility.ts';
import type { RosterInput } from './input.ts';
import { type PersonCosts, personCosts } from './person-costs.ts';
import { distanceCost, distanceKm, knownCost, unfilledCost, wishCost, wishFor } from './wishes.ts';

const MINUTES_OF_HOUR = 60;

/** A roster as arrays: people × shifts. */
export interface RosterModel {
  input: RosterInput;
  people: number;
  shifts: number;
  duties: Duties;
  /** Length of `Duties.day`'s range, and the instants at which weeks start, with the end of the last. */
  days: number;
  weekStarts: Int32Array;
  /** Duties of each person outside the shifts. */
  outside: Int32Array[];
  /** Limits in minutes and counts. */
  rest: number;
  weeklyRest: number;
  weekMinutes: number;
  maxDays: number;
  maxNights: number;
  /** By `person * shifts + shift`: may the person work it, and what place and time alone cost. */
  allowed: Uint8Array;
  linear: Float64Array;
  costs: PersonCosts;
  unfilled: number;
  headcount: Int32Array;
}

export function compileModel(input: RosterInput): RosterModel {
  const index = rosterIndex(input);
  const { rules } = input;
  const people = input.people.length;
  const shifts = input.shifts.length;
  const { duties, outside, days, weekStarts } = compileDuties(input, index);
  const allowed = new Uint8Array(people * shifts);
  const linear = new Float64Array(people * shifts);
  const dayNumbers = input.shifts.map(({ start }) => index.calendar.dayOf(start));

  for (const [p, person] of input.people.entries()) {
    const placeCost = (site?: RosterInput['sites'][number]) =>
      knownCost(rules, person, site?.id ?? '') + distanceCost(rules, distanceKm(person, site));
    const bySite = new Map(input.sites.map((site) => [site.id, placeCost(site)]));
    const elsewhere = placeCost();
    for (const [s, shift] of input.shifts.entries()) {
      const pair = p * shifts + s;
      const isShort = shift.end - shift.start <= rules.shift_hours * MINUTES_OF_HOUR;
      allowed[pair] = isShort && eligibilityProblems(index, person, shift).length === 0 ? 1 : 0;
      linear[pair] = bySite.get(shift.site_id) ?? elsewhere;
      if (person.wishes.length === 0) continue;
      const wish = wishFor(index.calendar, person, dayNumbers[s] ?? 0, at(duties.night, s) >= 0);
      linear[pair] = realAt(linear, pair) + wishCost(rules, wish);
    }
  }
  const partial = {
    input,
    people,
    shifts,
    duties,
    days,
    weekStarts,
    outside,
    rest: rules.min_rest_hours * MINUTES_OF_HOUR,
    weeklyRest: rules.weekly_rest_hours * MINUTES_OF_HOUR,
    weekMinutes: (rules.week_hours + rules.week_overtime_hours) * MINUTES_OF_HOUR,
    maxDays: rules.consecutive_days,
    maxNights: rules.consecutive_nights,
    allowed,
    linear,
    unfilled: unfilledCost(rules),
    headcount: Int32Array.from(input.shifts, ({ headcount }) => headcount),
  };
  return {
    ...partial,
    costs: personCosts(input, duties, outside, {
      firstDay: MARGIN_DAYS,
      lastDay: days - 1 - MARGIN_DAYS,
    }),
  };
}
