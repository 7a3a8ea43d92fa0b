// Hours and gaps, as the board shows them.
import { personTotals } from '#shared/roster/totals.ts';
import type { BoardShift } from './roster-rows.ts';
import type { RosterStore } from './roster-store.ts';

const MINUTES_OF_HOUR = 60;

export type GuardTotals = {
  /** In all weeks on the board. */
  hours: number;
  overtime: number;
  /** More overtime than the weeks of the board allow. */
  isOver: boolean;
  nights: number;
};

type Cached = { version: number; totals: GuardTotals };
const cache = new WeakMap<RosterStore, Map<string, Cached>>();

/** Every guard of the board, also one without shifts. */
export function guardTotals(store: RosterStore, userId: string): GuardTotals {
  const { input, index, effective, topics } = store;
  const version = topics.versionOf(`guard ${userId}`);
  const known = cache.get(store) ?? new Map<string, Cached>();
  cache.set(store, known);
  const cached = known.get(userId);
  if (cached?.version === version) return cached.totals;
  const person = index.people.get(userId);
  if (!person) return { hours: 0, overtime: 0, isOver: false, nights: 0 };
  const { hours, nights, overtimeHours } = personTotals(input, effective, person);
  const allowed = input.rules.week_overtime_hours * Math.ceil(index.days.length / 7);
  const totals = { hours, nights, overtime: overtimeHours, isOver: overtimeHours > allowed };
  known.set(userId, { version, totals });
  return totals;
}

export type BoardTotals = {
  seats: number;
  filled: number;
  /** Seats that are open; those of shifts that are over can't be filled any more. */
  gaps: number;
  /** Gaps of each day. */
  gapsOn: number[];
  hours: number;
  overtime: number;
};

export const NO_TOTALS: BoardTotals = {
  seats: 0,
  filled: 0,
  gaps: 0,
  gapsOn: [],
  hours: 0,
  overtime: 0,
};

/** The open seats of a shift, after the rule of `counts_as_staffed`; none once it is over. */
export const countGaps = (store: RosterStore, shift: BoardShift): number =>
  store.isOver(shift.id)
    ? 0
    : Math.max(0, shift.headcount - store.effective.peopleOn(shift.id).size);

/** @param isShown of the shifts that the filters leave */
export function boardTotals(
  store: RosterStore,
  isShown: (shift: BoardShift) => boolean,
): BoardTotals {
  const totals: BoardTotals = {
    seats: 0,
    filled: 0,
    gaps: 0,
    gapsOn: store.index.days.map(() => 0),
    hours: 0,
    overtime: 0,
  };
  const people = new Set<string>();
  for (const shift of store.index.shifts.values()) {
    if (!isShown(shift)) continue;
    const gaps = countGaps(store, shift);
    totals.seats += shift.headcount;
    totals.filled += Math.min(shift.headcount, store.effective.peopleOn(shift.id).size);
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
