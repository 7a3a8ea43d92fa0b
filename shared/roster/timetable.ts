import { at, realAt } from './arrays.ts';
import type { RosterModel } from './model.ts';

const NONE = -1;

/** Who works when, with the sums that rules and costs ask for. */
export interface Timetable {
  /** Whether the law lets the person work the shift, as if `without` were not theirs. */
  fits: (person: number, shift: number, without?: number) => boolean;
  /** Extra cost of the person's roster with `added` and without `removed`; -1 for none. */
  changeCost: (person: number, added: number, removed: number) => number;
  add: (person: number, shift: number) => void;
  remove: (person: number, shift: number) => void;
  /** The person's duties by start, those outside the shifts included. */
  dutiesOf: (person: number) => readonly number[];
}

export function openTimetable(model: RosterModel): Timetable {
  const { duties, shifts, people, days, weekStarts, costs, linear, allowed, outside } = model;
  const { start, end, day, week, lastWeek, night, isSunday } = duties;
  const weeks = weekStarts.length;
  const rows: number[][] = [];
  const dutiesOn = new Int32Array(people * days);
  const nightsOn = new Int32Array(people * days);
  const weekMinutes = new Int32Array(people * weeks);
  /** Sums over shifts. */
  const minutes = new Int32Array(people);
  const nights = new Int32Array(people);
  const sundays = new Int32Array(people);

  /** @param change 1 to add the duty, -1 to remove it */
  function count(person: number, duty: number, change: 1 | -1): void {
    const length = (at(end, duty) - at(start, duty)) * change;
    const onDay = person * days + at(day, duty);
    const ofWeek = person * weeks + at(week, duty);
    dutiesOn[onDay] = at(dutiesOn, onDay) + change;
    weekMinutes[ofWeek] = at(weekMinutes, ofWeek) + length;
    const isNight = at(night, duty) >= 0;
    if (isNight) {
      const ofNight = person * days + at(night, duty);
      nightsOn[ofNight] = at(nightsOn, ofNight) + change;
    }
    if (duty >= shifts) return;
    minutes[person] = at(minutes, person) + length;
    if (isNight) nights[person] = at(nights, person) + change;
    sundays[person] = at(sundays, person) + at(isSunday, duty) * change;
  }

  function insert(person: number, duty: number): void {
    const row = rows[person];
    if (row === undefined) return;
    let place = row.length;
    while (place > 0 && at(start, row[place - 1] ?? 0) > at(start, duty)) place--;
    row.splice(place, 0, duty);
    count(person, duty, 1);
  }

  for (let person = 0; person < people; person++) {
    rows.push([]);
    for (const duty of outside[person] ?? []) insert(person, duty);
  }

  /** Days in a row around `around`, that day included, as if `without` were none. */
  function run(counts: Int32Array, person: number, around: number, without: number): number {
    const offset = person * days;
    let first = around - 1;
    while (first >= 0 && at(counts, offset + first) - (first === without ? 1 : 0) > 0) first--;
    let last = around + 1;
    while (last < days && at(counts, offset + last) - (last === without ? 1 : 0) > 0) last++;
    return last - first - 1;
  }

  function hasWeeklyRest(row: readonly number[], shift: number, without: number, of: number) {
    const to = at(weekStarts, of + 1);
    const shiftStart = at(start, shift);
    let free = at(weekStarts, of);
    let isCounted = false;
    for (let index = 0; index <= row.length; index++) {
      const duty = row[index] ?? NONE;
      if (duty === without && duty !== NONE) continue;
      if (!isCounted && (duty === NONE || at(start, duty) > shiftStart)) {
        isCounted = true;
        if (Math.min(shiftStart, to) - free >= model.weeklyRest) return true;
        free = Math.max(free, at(end, shift));
      }
      if (duty === NONE) break;
      if (Math.min(at(start, duty), to) - free >= model.weeklyRest) return true;
      free = Math.max(free, at(end, duty));
      if (free >= to) return false;
    }
    return to - free >= model.weeklyRest;
  }

  return {
    dutiesOf: (person) => rows[person] ?? [],
    add: insert,
    remove(person, shift) {
      const row = rows[person];
      const place = row?.indexOf(shift) ?? NONE;
      if (row === undefined || place < 0) return;
      row.splice(place, 1);
      count(person, shift, -1);
    },

    fits(person, shift, without = NONE) {
      if (allowed[person * shifts + shift] !== 1) return false;
      const row = rows[person];
      if (row === undefined) return false;
      const from = at(start, shift) - model.rest;
      const to = at(end, shift) + model.rest;
      for (let index = 0; index < row.length; index++) {
        const duty = row[index] ?? 0;
        if (duty !== without && at(start, duty) < to && at(end, duty) > from) return false;
      }
      const own = at(week, shift);
      let worked = at(weekMinutes, person * weeks + own) + at(end, shift) - at(start, shift);
      if (without !== NONE && at(week, without) === own)
        worked -= at(end, without) - at(start, without);
      if (worked > model.weekMinutes) return false;
      const freedDay = without === NONE ? NONE : at(day, without);
      if (run(dutiesOn, person, at(day, shift), freedDay) > model.maxDays) return false;
      const nightDay = at(night, shift);
      const freedNight = without === NONE ? NONE : at(night, without);
      if (nightDay >= 0 && run(nightsOn, person, nightDay, freedNight) > model.maxNights)
        return false;
      for (let of = own; of <= at(lastWeek, shift); of++)
        if (!hasWeeklyRest(row, shift, without, of)) return false;
      return true;
    },

    changeCost(person, added, removed) {
      const { unit, hours, nights: nightCosts, sundays: sundayCosts } = costs;
      let cost = 0;
      let minutesThen = at(minutes, person);
      let nightsThen = at(nights, person);
      let sundaysThen = at(sundays, person);
      if (added !== NONE) {
        cost += realAt(linear, person * shifts + added);
        minutesThen += at(end, added) - at(start, added);
        if (at(night, added) >= 0) nightsThen++;
        sundaysThen += at(isSunday, added);
      }
      if (removed !== NONE) {
        cost -= realAt(linear, person * shifts + removed);
        minutesThen -= at(end, removed) - at(start, removed);
        if (at(night, removed) >= 0) nightsThen--;
        sundaysThen -= at(isSunday, removed);
      }
      const ofHours = person * hours.width;
      const ofNights = person * nightCosts.width;
      const ofSundays = person * sundayCosts.width;
      cost +=
        realAt(hours.cost, ofHours + Math.floor(minutesThen / unit)) -
        realAt(hours.cost, ofHours + Math.floor(at(minutes, person) / unit)) +
        realAt(nightCosts.cost, ofNights + nightsThen) -
        realAt(nightCosts.cost, ofNights + at(nights, person)) +
        realAt(sundayCosts.cost, ofSundays + sundaysThen) -
        realAt(sundayCosts.cost, ofSundays + at(sundays, person));
      return cost + overtimeChange(person, added, removed);
    },
  };

  function overtimeOf(worked: number): number {
    return Math.max(0, worked - costs.regularMinutes) * costs.overtime;
  }

  function overtimeChange(person: number, added: number, removed: number): number {
    const more = added === NONE ? 0 : at(end, added) - at(start, added);
    const less = removed === NONE ? 0 : at(end, removed) - at(start, removed);
    const addedTo = person * weeks + (added === NONE ? 0 : at(week, added));
    const removedFrom = person * weeks + (removed === NONE ? 0 : at(week, removed));
    const before = at(weekMinutes, addedTo);
    if (addedTo === removedFrom || removed === NONE)
      return overtimeOf(before + more - less) - overtimeOf(before);
    const other = at(weekMinutes, removedFrom);
    return (
      overtimeOf(before + more) - overtimeOf(before) + overtimeOf(other - less) - overtimeOf(other)
    );
  }
}
