// Hours and gaps, as the board shows them.
import { rosterIndex } from '#shared/roster/effective.ts';
import type { BoardShift } from './roster-rows.ts';
import type { RosterStore } from './roster-store.ts';

const MINUTES_OF_HOUR = 60;

export type GuardTotals = {
  /** Of all weeks on the board. */
  hours: number;
  overtime: number;
  /** Over what may be worked in one of the weeks. */
  isOver: boolean;
  nights: number;
};

/** @param firstDay of the board, as dayNumber @param weeks on the board */
export function guardTotals(store: RosterStore, userId: string): GuardTotals {
  const { input, index, effective } = store;
  const { calendar } = rosterIndex(input);
  const { week_hours, week_overtime_hours, night_at } = input.rules;
  const weekOf = (minute: number) => calendar.weekOf(calendar.dayOf(minute));
  const byWeek = new Map<number, number>();
  let nights = 0;
  const add = (start: number, end: number) => {
    const week = weekOf(start);
    byWeek.set(week, (byWeek.get(week) ?? 0) + (end - start) / MINUTES_OF_HOUR);
    nights += calendar.nightsOf(start, end, night_at).length;
  };
  const [first, last] = weeksOf(store);
  for (const [start, end] of index.people.get(userId)?.outside ?? []) {
    const week = weekOf(start);
    if (week >= first && week <= last) add(start, end);
  }
  for (const id of effective.shiftsOf(userId)) {
    const shift = index.shifts.get(id);
    if (shift) add(shift.start, shift.end);
  }
  let hours = 0;
  let overtime = 0;
  let isOver = false;
  for (const worked of byWeek.values()) {
    hours += worked;
    overtime += Math.max(0, worked - week_hours);
    if (worked > week_hours + week_overtime_hours) isOver = true;
  }
  return { hours, overtime, isOver, nights };
}

function weeksOf({ input, index }: RosterStore): [first: number, last: number] {
  const { calendar } = rosterIndex(input);
  const monday = Date.parse(`${input.from}T00:00:00Z`) / 86_400_000;
  const first = calendar.weekOf(monday);
  return [first, first + Math.ceil(index.days.length / 7) - 1];
}

export type BoardTotals = {
  seats: number;
  gaps: number;
  /** Gaps of each day. */
  gapsOn: number[];
  hours: number;
  overtime: number;
};

export const gapsOf = (store: RosterStore, shift: BoardShift): number =>
  Math.max(0, shift.headcount - store.effective.peopleOn(shift.id).size);

/** @param isShown of the shifts that the filters leave */
export function boardTotals(
  store: RosterStore,
  isShown: (shift: BoardShift) => boolean,
): BoardTotals {
  const totals: BoardTotals = {
    seats: 0,
    gaps: 0,
    gapsOn: store.index.days.map(() => 0),
    hours: 0,
    overtime: 0,
  };
  const people = new Set<string>();
  for (const shift of store.index.shifts.values()) {
    if (!isShown(shift)) continue;
    const gaps = gapsOf(store, shift);
    totals.seats += shift.headcount;
    totals.gaps += gaps;
    totals.gapsOn[shift.column] = (totals.gapsOn[shift.column] ?? 0) + gaps;
    for (const userId of store.effective.peopleOn(shift.id)) {
      people.add(userId);
      totals.hours += (shift.end - shift.start) / MINUTES_OF_HOUR;
    }
  }
  for (const userId of people) totals.overtime += guardTotals(store, userId).overtime;
  return totals;
}
