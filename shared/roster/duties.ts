import { dayNumber } from './calendar.ts';
import type { RosterIndex } from './effective.ts';
import type { RosterInput } from './input.ts';

/** Days that are looked at around the period: as far as `outside` reaches. */
export const MARGIN_DAYS = 17;

/** Duties are numbered: the shifts of the input first, then what people work outside of it. */
export interface Duties {
  start: Int32Array;
  end: Int32Array;
  /** The day in which a duty starts, from `MARGIN_DAYS` before the period. */
  day: Int32Array;
  /** The week in which a duty starts, and the last one that it touches, from the first of `weekStarts`. */
  week: Int32Array;
  lastWeek: Int32Array;
  /** The day of the night, or -1. */
  night: Int32Array;
  isSunday: Int32Array;
}

export function compileDuties(input: RosterInput, index: RosterIndex) {
  const { calendar } = index;
  const outside: Int32Array[] = [];
  const spans: [number, number][] = input.shifts.map(({ start, end }) => [start, end]);
  for (const person of input.people) {
    outside.push(Int32Array.from(person.outside, (_, place) => spans.length + place));
    spans.push(...person.outside);
  }
  const firstDay = dayNumber(input.from) - MARGIN_DAYS;
  const lastDay = dayNumber(input.to) + MARGIN_DAYS;
  const firstWeek = calendar.weekOf(firstDay);
  const weeks = calendar.weekOf(lastDay) - firstWeek + 2;
  const dayOf = (minute: number) => Math.min(lastDay, Math.max(firstDay, calendar.dayOf(minute)));
  const column = (pick: (start: number, end: number) => number) =>
    Int32Array.from(spans, ([start, end]) => pick(start, end));
  const duties: Duties = {
    start: column((start) => start),
    end: column((_, end) => end),
    day: column((start) => dayOf(start) - firstDay),
    week: column((start) => calendar.weekOf(dayOf(start)) - firstWeek),
    lastWeek: column((_, end) => calendar.weekOf(dayOf(end - 1)) - firstWeek),
    night: column((start, end) => {
      const [night] = calendar.nightsOf(start, end, input.rules.night_at);
      return night === undefined ? -1 : Math.min(lastDay, Math.max(firstDay, night)) - firstDay;
    }),
    isSunday: column((start) => (calendar.weekdayOf(calendar.dayOf(start)) === 6 ? 1 : 0)),
  };
  const weekStarts = Int32Array.from({ length: weeks + 1 }, (_, week) =>
    calendar.startOf(calendar.firstDayOf(firstWeek + week)),
  );
  return { duties, outside, days: lastDay - firstDay + 1, weekStarts };
}
