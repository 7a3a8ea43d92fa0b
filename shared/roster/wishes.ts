// What each wish of a roster costs, in units of its weight. An unfilled seat costs more than all wishes together.
import type { Calendar } from './calendar.ts';
import { dayName } from './calendar.ts';
import { metresFromHome } from './distance-rule.ts';
import type { RosterInput, RosterPerson, RosterRules } from './input.ts';

/** Shifts after which a guard knows a site. */
const SHIFTS_TO_KNOW = 4;
const KM_OF_WEIGHT = 10;
const FARTHEST_KM = 40;
/** Where a home or a site has no position. */
const UNKNOWN_KM = 10;
const UNAVAILABLE = 4;
const AVOIDED = 1;
const NOT_PREFERRED = 0.5;
/** Hours of overtime that cost the weight once. */
export const OVERTIME_HOURS = 4;
/** Deviations from the fair share that cost the weight once; twice as much costs four times the weight. */
export const FAIR_HOURS = 12;
export const FAIR_NIGHTS = 2;
export const FAIR_SUNDAYS = 1;

export const isKnown = (person: RosterPerson, siteId: string): boolean =>
  (person.known[siteId] ?? 0) > 0;

export function knownCost(rules: RosterRules, person: RosterPerson, siteId: string): number {
  const share = Math.min(1, (person.known[siteId] ?? 0) / SHIFTS_TO_KNOW);
  return rules.weight_known_post * (1 - share);
}

/** Kilometres as the crow flies, or null where a position is missing. */
export function distanceKm(
  person: RosterPerson,
  site: RosterInput['sites'][number] | undefined,
): number | null {
  const metres = metresFromHome(person, site);
  return metres === null ? null : metres / 1000;
}

export const distanceCost = (rules: RosterRules, km: number | null): number =>
  (rules.weight_distance * Math.min(km ?? UNKNOWN_KM, FARTHEST_KM)) / KM_OF_WEIGHT;

export type Wish = 'unavailable' | 'avoid' | 'not preferred' | 'preferred' | null;

/** @param day of the calendar; the day or night in question starts on it */
export function wishFor(
  calendar: Calendar,
  person: RosterPerson,
  day: number,
  isNight: boolean,
): Wish {
  const name = dayName(day);
  const inTime = person.wishes.filter(
    ({ from, to }) => (from === null || from <= name) && (to === null || name <= to),
  );
  const matching = inTime.filter(
    ({ weekday, part }) =>
      (weekday === null || weekday === calendar.weekdayOf(day)) &&
      (part === null || (part === 'night') === isNight),
  );
  if (matching.some(({ kind }) => kind === 'unavailable')) return 'unavailable';
  if (matching.some(({ kind }) => kind === 'avoid')) return 'avoid';
  if (matching.some(({ kind }) => kind === 'prefer')) return 'preferred';
  return inTime.some(({ kind }) => kind === 'prefer') ? 'not preferred' : null;
}

export function wishCost(rules: RosterRules, wish: Wish): number {
  if (wish === 'unavailable') return rules.weight_preference * UNAVAILABLE;
  if (wish === 'avoid') return rules.weight_preference * AVOIDED;
  return wish === 'not preferred' ? rules.weight_preference * NOT_PREFERRED : 0;
}

/** More than what any sensible chain of wishes is worth. */
export function unfilledCost(rules: RosterRules): number {
  const weights =
    rules.weight_known_post +
    rules.weight_fair_nights +
    rules.weight_fair_sundays +
    rules.weight_fair_hours +
    rules.weight_distance +
    rules.weight_overtime +
    rules.weight_preference +
    rules.weight_change;
  return 100 * Math.max(10, weights);
}
