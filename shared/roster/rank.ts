import type { RuleProblem } from './duty-rules.ts';
import { type Effective, type RosterIndex, rosterIndex } from './effective.ts';
import type { RosterInput, RosterPerson, RosterShift } from './input.ts';
import { otherDuties, problemsFor } from './problems.ts';
import {
  distanceCost,
  distanceKm,
  FAIR_HOURS,
  isKnown,
  knownCost,
  OVERTIME_HOURS,
  type Wish,
  wishCost,
  wishFor,
} from './wishes.ts';

const MINUTES_OF_HOUR = 60;

export interface RankedGuard {
  personId: string;
  name: string;
  /** The higher, the worse; by the weights of the rule set. */
  cost: number;
  /** Reasons for and against, such as 'Knows this site' and '3.2 km away'. */
  reasons: string[];
  /** Why the law forbids it; such guards come last. */
  problems: RuleProblem[];
}

const figure = (value: number): string => String(Math.round(value * 10) / 10);

/** From whole metres, so that 2.55 km is rounded up as in the database. */
const kilometres = (km: number): string => figure(Math.round(Math.round(km * 1000) / 100) / 10);

const WISHES: Record<Exclude<Wish, null>, string> = {
  unavailable: 'Said unavailable',
  avoid: 'Would rather not',
  'not preferred': 'Prefers other times',
  preferred: 'Prefers this time',
};

/** Hours of the week in which a shift starts, without that shift. */
function weekHours(
  index: RosterIndex,
  effective: Effective,
  person: RosterPerson,
  shift: RosterShift,
): number {
  const { dayOf, weekOf } = index.calendar;
  const week = weekOf(dayOf(shift.start));
  return otherDuties(index, effective, person, shift.id)
    .filter(({ start }) => weekOf(dayOf(start)) === week)
    .reduce((sum, { start, end }) => sum + (end - start) / MINUTES_OF_HOUR, 0);
}

/** All guards who are not on the shift, the best first, those who may not work it last. */
export function rankGuards(
  input: RosterInput,
  effective: Effective,
  shiftId: string,
): RankedGuard[] {
  const index = rosterIndex(input);
  const shift = index.shifts.get(shiftId);
  if (shift === undefined) return [];
  const { rules } = input;
  const site = index.sites.get(shift.site_id);
  const day = index.calendar.dayOf(shift.start);
  const isNight = index.calendar.nightsOf(shift.start, shift.end, rules.night_at).length > 0;
  const length = (shift.end - shift.start) / MINUTES_OF_HOUR;
  const others = input.people.filter(({ id }) => !effective.peopleOn(shiftId).has(id));
  const hours = others.map((person) => weekHours(index, effective, person, shift));
  const average = hours.reduce((sum, own) => sum + own, 0) / Math.max(1, hours.length);
  const limit = rules.week_hours + rules.week_overtime_hours;

  const ranked = others.map((person, place): RankedGuard => {
    const worked = hours[place] ?? 0;
    const overtime =
      Math.max(0, worked + length - rules.week_hours) - Math.max(0, worked - rules.week_hours);
    const km = distanceKm(person, site);
    const wish = wishFor(index.calendar, person, day, isNight);
    const unfairness = (own: number) => ((own - average) / FAIR_HOURS) ** 2;
    const known = person.known[shift.site_id] ?? 0;
    const reasons = [
      isKnown(person, shift.site_id)
        ? `Knows this site: ${known} ${known === 1 ? 'shift' : 'shifts'}`
        : 'New to this site',
      `${figure(Math.max(0, limit - worked))} h left this week`,
      ...(km === null ? [] : [`${kilometres(km)} km away`]),
      ...(overtime > 0 ? [`${figure(overtime)} h overtime`] : []),
      ...(wish === null ? [] : [WISHES[wish]]),
    ];
    return {
      personId: person.id,
      name: person.name,
      cost:
        knownCost(rules, person, shift.site_id) +
        distanceCost(rules, km) +
        wishCost(rules, wish) +
        (rules.weight_overtime * overtime) / OVERTIME_HOURS +
        rules.weight_fair_hours * (unfairness(worked + length) - unfairness(worked)),
      reasons,
      problems: problemsFor(input, effective, person.id, shiftId),
    };
  });
  return ranked.sort(
    (a, b) =>
      a.problems.length - b.problems.length || a.cost - b.cost || a.name.localeCompare(b.name),
  );
}
