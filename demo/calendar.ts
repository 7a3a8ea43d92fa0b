// Days are counted from the day of loading: 0 is today, -1 yesterday.
import { TZDate } from '@date-fns/tz';
import { company } from '#company';

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** Months before this one that are worked, paid and invoiced. */
export const CLOSED_MONTHS = 3;
const LAST_HOURS = 6 * HOUR;

export class Calendar {
  readonly #year: number;
  readonly #month: number;
  readonly #day: number;
  /** Cache: time zone arithmetic is slow, and thousands of shifts start at the same few times. */
  readonly #known = new Map<number, number>();

  /** @param now the time of loading */
  constructor(readonly now: Date) {
    const local = new TZDate(now, company.timeZone);
    this.#year = local.getFullYear();
    this.#month = local.getMonth();
    this.#day = local.getDate();
  }

  /** @returns the milliseconds since 1970 of a clock time in the company's zone */
  at(day: number, hour: number, minute = 0): number {
    const key = (day * 24 + hour) * 60 + minute;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { timeZone } = company;
    const ms = new TZDate(this.#year, this.#month, this.#day + day, hour, minute, timeZone);
    this.#known.set(key, ms.getTime());
    return ms.getTime();
  }

  /** @returns the day as YYYY-MM-DD */
  date(day: number): string {
    return this.#plain(this.#year, this.#month, this.#day + day);
  }

  /** @returns first and last day of a calendar month, -1 for the last one */
  month(offset: number): { first: string; last: string } {
    return {
      first: this.#plain(this.#year, this.#month + offset, 1),
      last: this.#plain(this.#year, this.#month + offset + 1, 0),
    };
  }

  /** @returns the number of days from today to a date YYYY-MM-DD */
  dayOf(date: string): number {
    const today = Date.UTC(this.#year, this.#month, this.#day);
    return Math.round((Date.parse(date) - today) / (24 * HOUR));
  }

  /** @returns 0 for Sunday to 6 for Saturday */
  weekday(day: number): number {
    return new Date(Date.UTC(this.#year, this.#month, this.#day + day)).getUTCDay();
  }

  /** @returns the Monday of this week, or of another: 1 is the next */
  monday(week = 0): number {
    return 7 * week - ((this.weekday(0) + 6) % 7);
  }

  /** @returns the hour in the company's zone, with fraction */
  get hourNow(): number {
    return (this.now.getTime() - this.at(0, 0)) / HOUR;
  }

  /**
   * For records that can't be in the future: a future time is replaced by one in the last hours.
   * @param ms milliseconds since 1970
   */
  past(ms: number): string {
    const now = this.now.getTime();
    const ahead = ms - now;
    return iso(ahead > 0 ? now - MINUTE - (ahead % LAST_HOURS) : ms);
  }

  #plain(year: number, month: number, day: number): string {
    return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
  }
}

export const minutes = (count: number): number => count * MINUTE;

export const iso = (ms: number): string => new Date(ms).toISOString();
