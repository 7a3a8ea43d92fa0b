// Required guards against those who were there, minute by minute.
import { DAY, dayAt } from '../../company-month/calendar.ts';
import type { Place, PlacedDuty, Shift } from '../facts.ts';
import { ROSTER_FROM, ROSTER_TO } from '../guards.ts';
import type { Worked } from './hours.ts';

export interface Covered {
  required: number;
  worked: number;
  uncovered: number;
  late: number;
  overstaffed: number;
}

const BEGIN = ROSTER_FROM * DAY;
const LENGTH = (ROSTER_TO + 2) * DAY - BEGIN;

const add = (counts: Int8Array, at: number, more: number): void => {
  counts[at - BEGIN] = (counts[at - BEGIN] ?? 0) + more;
};

export class Coverage {
  readonly #shifts = new Map<Place, Shift[]>();
  readonly #required = new Map<Place, Map<number, number>>();
  readonly #known = new Map<string, Map<number, Covered>>();
  readonly #present: Worked['present'];

  constructor(shifts: Shift[], { present }: Worked) {
    this.#present = present;
    for (const shift of shifts) {
      const { place, from, to, headcount } = shift;
      const own = this.#shifts.get(place) ?? [];
      this.#shifts.set(place, own);
      own.push(shift);
      const days = this.#required.get(place) ?? new Map<number, number>();
      this.#required.set(place, days);
      days.set(dayAt(from), (days.get(dayAt(from)) ?? 0) + (to - from) * headcount);
    }
  }

  /** The guards that the shifts of a place require at a minute. */
  headcountAt(place: Place, minute: number): number {
    return (this.#shifts.get(place) ?? []).reduce(
      (sum, { from, to, headcount }) => sum + (from <= minute && minute < to ? headcount : 0),
      0,
    );
  }

  headcountOf(duty: PlacedDuty): number {
    const shifts = this.#shifts.get(duty.place) ?? [];
    return shifts.find(({ from, to }) => from === duty.from && to === duty.to)?.headcount ?? 1;
  }

  /** Of a place by day: a minute belongs to the day on which the latest shift began. Up to now, without later events. */
  of(place: Place, now: number, hasArrived: (duty: PlacedDuty) => boolean): Map<number, Covered> {
    const key = `${place.site} ${place.post} ${now}`;
    const known = this.#known.get(key) ?? this.#walk(place, now, hasArrived);
    this.#known.set(key, known);
    return known;
  }

  #walk(place: Place, now: number, hasArrived: (duty: PlacedDuty) => boolean) {
    const required = new Int8Array(LENGTH);
    const present = new Int8Array(LENGTH);
    const late = new Int8Array(LENGTH);
    const begun = new Int16Array(LENGTH);
    for (const { from, to, headcount, duties } of this.#shifts.get(place) ?? []) {
      if (from >= now) continue;
      begun[from - BEGIN] = dayAt(from);
      for (let at = from; at < Math.min(to, now); at += 1) add(required, at, headcount);
      for (const duty of duties) {
        const minutes = hasArrived(duty) ? (this.#present.get(duty) ?? []) : [];
        for (const at of minutes) add(present, at, 1);
        const came = minutes[0];
        if (came === undefined) continue;
        for (let at = from; at < Math.min(came, to, now); at += 1) add(late, at, 1);
      }
    }
    const days = new Map<number, Covered>();
    let day = 0;
    for (let index = 0; index < LENGTH; index += 1) {
      day = begun[index] || day;
      const due = required[index] ?? 0;
      if (due === 0) continue;
      const here = present[index] ?? 0;
      const sums = days.get(day) ?? {
        required: 0,
        worked: 0,
        uncovered: 0,
        late: 0,
        overstaffed: 0,
      };
      days.set(day, sums);
      const missing = Math.max(0, due - here);
      sums.required += due;
      sums.worked += here;
      sums.uncovered += missing;
      sums.late += Math.min(missing, late[index] ?? 0);
      sums.overstaffed += Math.max(0, here - due);
    }
    return days;
  }

  /** Minutes of guards that the shifts beginning on a day require. */
  required(place: Place, day: number): number {
    return this.#required.get(place)?.get(day) ?? 0;
  }

  /** Duties that end after now, by place. */
  planned(place: Place, now: number): PlacedDuty[] {
    return (this.#shifts.get(place) ?? []).flatMap(({ to, duties }) => (to > now ? duties : []));
  }
}
