import { at, realAt } from './arrays.ts';
import { rosterIndex } from './effective.ts';
import type { RosterModel } from './model.ts';
import { NOBODY, type Seats } from './seats.ts';
import type { Timetable } from './timetable.ts';
import { distanceCost, distanceKm, knownCost, wishCost, wishFor } from './wishes.ts';

export interface ScoreParts {
  unfilled: number;
  known_post: number;
  distance: number;
  preference: number;
  fair_hours: number;
  fair_nights: number;
  fair_sundays: number;
  overtime: number;
  change: number;
}

export interface RosterScore {
  total: number;
  parts: ScoreParts;
}

/** Adds up the costs of places and times. */
function addPlaces(parts: ScoreParts, model: RosterModel, seats: Seats): void {
  const { input, duties, shifts } = model;
  const index = rosterIndex(input);
  for (let seat = 0; seat < seats.shift.length; seat++) {
    const number = at(seats.shift, seat);
    const holder = at(seats.holder, seat);
    const person = input.people[holder];
    const shift = input.shifts[number];
    if (holder === NOBODY) parts.unfilled += model.unfilled;
    if (person === undefined || shift === undefined) continue;
    const site = index.sites.get(shift.site_id);
    const isNight = at(duties.night, number) >= 0;
    const wish = wishFor(index.calendar, person, index.calendar.dayOf(shift.start), isNight);
    const known = knownCost(input.rules, person, shift.site_id);
    const distance = distanceCost(input.rules, distanceKm(person, site));
    const preference = wishCost(input.rules, wish);
    parts.known_post += known;
    parts.distance += distance;
    parts.preference += preference;
    // The saving of staying is taken from the model's cost.
    parts.change += realAt(model.linear, holder * shifts + number) - known - distance - preference;
  }
}

/** Adds up the costs of what each person works in all. */
function addPeople(parts: ScoreParts, model: RosterModel, timetable: Timetable): void {
  const { duties, shifts, people, costs } = model;
  const { hours, nights, sundays } = costs;
  for (let person = 0; person < people; person++) {
    let minutes = 0;
    let nightCount = 0;
    let sundayCount = 0;
    const weekly = new Map<number, { outside: number; all: number }>();
    for (const duty of timetable.dutiesOf(person)) {
      const length = at(duties.end, duty) - at(duties.start, duty);
      const week = weekly.get(at(duties.week, duty)) ?? { outside: 0, all: 0 };
      weekly.set(at(duties.week, duty), week);
      week.all += length;
      if (duty >= shifts) {
        week.outside += length;
        continue;
      }
      minutes += length;
      if (at(duties.night, duty) >= 0) nightCount++;
      sundayCount += at(duties.isSunday, duty);
    }
    const steps = Math.floor(minutes / costs.unit);
    parts.fair_hours += realAt(hours.cost, person * hours.width + steps);
    parts.fair_nights += realAt(nights.cost, person * nights.width + nightCount);
    parts.fair_sundays += realAt(sundays.cost, person * sundays.width + sundayCount);
    for (const { outside, all } of weekly.values()) {
      const over = (worked: number) => Math.max(0, worked - costs.regularMinutes);
      parts.overtime += (over(all) - over(outside)) * costs.overtime;
    }
  }
}

export function scoreOf(model: RosterModel, seats: Seats, timetable: Timetable): RosterScore {
  const parts: ScoreParts = {
    unfilled: 0,
    known_post: 0,
    distance: 0,
    preference: 0,
    fair_hours: 0,
    fair_nights: 0,
    fair_sundays: 0,
    overtime: 0,
    change: seats.changeCost,
  };
  addPlaces(parts, model, seats);
  addPeople(parts, model, timetable);
  const total = Object.values(parts).reduce((sum: number, part: number) => sum + part, 0);
  return { total, parts };
}
