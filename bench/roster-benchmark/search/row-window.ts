import { at } from '#shared/roster/arrays.ts';
import type { Roster, RosterProblem } from './problem.ts';
import { mostWorkdays, type RowSpace } from './row-space.ts';

const SATURDAY = 5;
const SUNDAY = 6;

/** What the days of a row outside a window ask of the days inside it. */
export interface RowWindow {
  /** Days from `first` up to but without `end`. */
  first: number;
  end: number;
  /** Kind worked on the day before, 0 for off, and the length in days of that run or block of days off. */
  kindBefore: number;
  lengthBefore: number;
  /** The same for the day after. */
  kindAfter: number;
  lengthAfter: number;
  /** Whether that run or block ends with the horizon, so that it may be shorter than its minimum. */
  isOpenAfter: boolean;
  /** What may still be worked in the window; minutes in the units of the person's space. */
  minUnits: number;
  maxUnits: number;
  weekends: number;
  counted: number;
}

/** The totals that the states of a window have to tell apart. A limit that can't bind is not tracked. */
export interface WindowTotals {
  /** Greatest number of units of a state. */
  units: number;
  /** Whether more than `units` are too many; if not, they count as `units`. */
  isMostUnits: boolean;
  hasWeekends: boolean;
  hasCounted: boolean;
}

/** Length of the run of worked days, or block of days off, that `day` belongs to, counted in one direction. */
function lengthFrom(row: Roster, start: number, day: number, step: 1 | -1, stop: number): number {
  const isWorked = at(row, start + day) > 0;
  let length = 0;
  for (let d = day; d !== stop && at(row, start + d) > 0 === isWorked; d += step) length++;
  return length;
}

export function windowOf(
  problem: RosterProblem,
  space: RowSpace,
  roster: Roster,
  person: number,
  first: number,
  end: number,
): RowWindow {
  const { days, kinds } = problem;
  const rules = problem.people[person];
  const start = person * days;
  let minutes = 0;
  let weekends = 0;
  let counted = 0;
  for (let day = 0; day < days; day++) {
    if (day === first) day = end;
    const kind = day < days ? at(roster, start + day) : 0;
    if (kind === 0) continue;
    minutes += kinds[kind - 1]?.minutes ?? 0;
    if (kind === space.countedKind) counted++;
    if (day % 7 === SATURDAY) weekends++;
    // The Sunday after the window counts in its last state, which knows Saturday.
    else if (day % 7 === SUNDAY && day !== end && (day === 0 || at(roster, start + day - 1) === 0))
      weekends++;
  }
  const lengthAfter = end < days ? lengthFrom(roster, start, end, 1, days) : 0;
  return {
    first,
    end,
    kindBefore: first > 0 ? at(roster, start + first - 1) : 0,
    lengthBefore: first > 0 ? lengthFrom(roster, start, first - 1, -1, -1) : days,
    kindAfter: end < days ? at(roster, start + end) : 0,
    lengthAfter,
    isOpenAfter: end + lengthAfter === days,
    minUnits: Math.ceil(((rules?.minMinutes ?? 0) - minutes) / space.unitMinutes),
    maxUnits: Math.floor(((rules?.maxMinutes ?? 0) - minutes) / space.unitMinutes),
    weekends: (rules?.maxWeekends ?? 0) - weekends,
    counted: rules === undefined ? 0 : at(rules.maxOfKind, space.countedKind) - counted,
  };
}

/** @returns null when the days outside the window alone break a limit */
export function totalsOf(space: RowSpace, window: RowWindow): WindowTotals | null {
  const { first, end } = window;
  const isCounting = space.countedKind > 0;
  if (window.maxUnits < 0 || window.weekends < 0 || (isCounting && window.counted < 0)) return null;
  const length = end - first;
  const isMostUnits = window.maxUnits < space.longest * mostWorkdays(space, length);
  let weekends = 0;
  for (let day = first; day <= end; day++)
    if (day % 7 === SATURDAY || (day % 7 === SUNDAY && (day === first || day === end))) weekends++;
  return {
    units: isMostUnits ? window.maxUnits : Math.max(0, window.minUnits),
    isMostUnits,
    hasWeekends: window.weekends < weekends,
    hasCounted: isCounting && window.counted < length,
  };
}
