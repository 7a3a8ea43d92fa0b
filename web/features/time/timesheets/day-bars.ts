// Where planned and worked time lies on the axis of a day. All days of a sheet share one axis, so that bars can be compared.
import { startOfDay } from '#web/lib/format/days.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** ISO 8601 with offset. */
export type Span = { starts_at: string; ends_at: string };

/** A span on the axis, per cent, and whether it goes on beyond an end of the axis. */
export type Bar<Item> = {
  item: Item;
  left: number;
  width: number;
  isFromBefore: boolean;
  goesOn: boolean;
};

/** @param day yyyy-MM-dd in the company's zone @returns minutes from its midnight; negative on the day before */
function minutesOn(day: string, instant: string): number {
  return (Date.parse(instant) - Date.parse(startOfDay(day))) / MINUTE_MS;
}

/** @returns the spans that touch the day, soonest first, from midnight to midnight */
export function toBars<Item extends Span>(day: string, items: readonly Item[]): Bar<Item>[] {
  return items
    .map((item) => ({
      item,
      from: minutesOn(day, item.starts_at),
      to: minutesOn(day, item.ends_at),
    }))
    .filter(({ from, to }) => from < DAY_MINUTES && to > 0 && to > from)
    .sort((a, b) => a.from - b.from)
    .map(({ item, from, to }) => {
      const start = Math.max(0, from);
      const end = Math.min(DAY_MINUTES, to);
      return {
        item,
        left: (start / DAY_MINUTES) * 100,
        width: ((end - start) / DAY_MINUTES) * 100,
        isFromBefore: from < 0,
        goesOn: to > DAY_MINUTES,
      };
    });
}

/** Hours that the axis names. */
export const TICKS = [0, 6, 12, 18, 24] as const;
