// The clock of the product and its PostgreSQL: an offset from the machine's time, in the file that libfaketime reads. It goes on
// with the machine's time in between, so nothing waits for a clock that is still.
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

export class Clock {
  #offsetMs = 0;

  /**
   * @param file in a folder that PostgreSQL's user may enter
   * @param isOurs whether libfaketime is preloaded into this process, too
   */
  constructor(
    private readonly file: string,
    private readonly isOurs = true,
  ) {
    chmodSync(path.dirname(file), 0o755);
    chmodSync(file, 0o644);
  }

  now(): Date {
    return new Date(this.realNow() + this.#offsetMs);
  }

  /** The machine's time in milliseconds since 1970. */
  realNow(): number {
    return Date.now() - (this.isOurs ? this.#offsetMs : 0);
  }

  /** Moves forward only: a time that has passed already is left alone. */
  moveTo(at: number, mayGoBack = false): void {
    if (!mayGoBack && at <= this.now().getTime()) return;
    this.#offsetMs = Math.round(at - this.realNow());
    const next = `${this.file}.next`;
    const sign = this.#offsetMs < 0 ? '' : '+';
    writeFileSync(next, `${sign}${(this.#offsetMs / 1000).toFixed(3)}s`, { mode: 0o644 });
    renameSync(next, this.file);
  }
}

/** @returns the day in the company's zone, which has UTC all year: `YYYY-MM-DD` */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string =>
  dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

/** @param time `HH:MM` */
export const instantOf = (day: string, time: string): number => Date.parse(`${day}T${time}:00Z`);

/** @returns the first day of the month after */
export function monthAfter(day: string): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + 1);
  return dayOf(at.getTime());
}
