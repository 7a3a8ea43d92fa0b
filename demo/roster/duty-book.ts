// The legal limits of one guard: 12 hours of rest, 48 hours a week and 5 of overtime, one rest of 36 hours in each
// week from Monday, 6 days and 4 nights in a row. Shifts are entered in order of start.
import { HOUR } from '../calendar.ts';
import type { Person } from '../people/people.ts';
import type { Shift } from '../shifts/shifts.ts';

const REST = 12 * HOUR;
const WEEKLY_REST = 36 * HOUR;
const WEEK = 7 * 24 * HOUR;
const WEEK_HOURS = 48 * HOUR;
const OVERTIME = 5 * HOUR;
const DAYS_IN_A_ROW = 6;
const NIGHTS_IN_A_ROW = 4;

export class DutyBook {
  /** Shifts worked at a site, which the guard knows from then on. */
  readonly sites = new Map<string, number>();
  /** End of the last shift, in milliseconds since 1970. */
  #lastEnd = -Infinity;
  /** Not available before, without having worked: a shift that was cancelled. */
  #busyUntil = -Infinity;
  #lastDay = -Infinity;
  #days = 0;
  #lastNight = -Infinity;
  #nights = 0;
  /** Start of the week that the figures below are of. */
  #week = -Infinity;
  #worked = 0;
  /** From a night that began in the week before. */
  #carried = 0;
  #hasRested = false;

  constructor(readonly guard: Person) {}

  /** Milliseconds worked in the week of a shift. */
  workedInWeekOf(shift: Shift): number {
    return shift.week === this.#week ? this.#worked : 0;
  }

  #carriedInto(week: number): number {
    return week === this.#week ? this.#carried : Math.max(0, this.#lastEnd - week);
  }

  #restsIn(week: number, shift: Shift): boolean {
    const hasRested = week === this.#week && this.#hasRested;
    return hasRested || shift.start - Math.max(week, this.#lastEnd) >= WEEKLY_REST;
  }

  isRested({ start }: Shift): boolean {
    return start >= this.#lastEnd + REST && start >= this.#busyUntil;
  }

  canWork(shift: Shift, { overtime = false } = {}): boolean {
    const { start, end, day, week } = shift;
    if (!this.isRested(shift)) return false;
    const most = WEEK_HOURS + (overtime ? OVERTIME : 0);
    const within = Math.min(end, week + WEEK) - start;
    const worked = this.workedInWeekOf(shift);
    // A night that began on Sunday counts there, but its hours of Monday are worked all the same.
    if (worked + end - start > most) return false;
    if (worked + within + this.#carriedInto(week) > WEEK_HOURS + OVERTIME) return false;
    if (day === this.#lastDay + 1 && this.#days >= DAYS_IN_A_ROW) return false;
    if (shift.isNight && day === this.#lastNight + 1 && this.#nights >= NIGHTS_IN_A_ROW)
      return false;
    return this.#restsIn(week, shift) || week + WEEK - end >= WEEKLY_REST;
  }

  add(shift: Shift): void {
    const { week } = shift;
    this.#hasRested = this.#restsIn(week, shift);
    if (week !== this.#week) {
      this.#carried = Math.max(0, this.#lastEnd - week);
      this.#worked = 0;
      this.#week = week;
    }
    this.#worked += shift.end - shift.start;
    this.#lastEnd = shift.end;
    this.#days = shift.day === this.#lastDay + 1 ? this.#days + 1 : 1;
    this.#lastDay = shift.day;
    if (shift.isNight) {
      this.#nights = shift.day === this.#lastNight + 1 ? this.#nights + 1 : 1;
      this.#lastNight = shift.day;
    }
    this.sites.set(shift.site.id, (this.sites.get(shift.site.id) ?? 0) + 1);
  }

  /** A shift that the guard was taken off: no other until its end. */
  skip(shift: Shift): void {
    this.#busyUntil = shift.end;
  }
}
