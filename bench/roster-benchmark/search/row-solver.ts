import { at, realAt } from '#shared/roster/arrays.ts';
import type { Roster, RosterProblem } from './problem.ts';
import { mostWorkdays, type RowSpace, rowSpaceOf } from './row-space.ts';
import { RowStates } from './row-states.ts';
import { type RowWindow, totalsOf, type WindowTotals, windowOf } from './row-window.ts';

/** Solutions of a row while surcharges are searched that keep the limits of kinds that are not counted. */
const ATTEMPTS = 8;
const SATURDAY = 5;
const SUNDAY = 6;

export interface RowSolver {
  /**
   * Finds the cheapest legal row of a person that differs from the roster's only in the days from `first` up to but
   * without `end`. The other days must be legal by themselves.
   * @param prices by `day * (kinds + 1) + kind`, days counted from the start of the horizon
   * @returns kinds by day, reused by the next call, of which only those of the window are set; null when no row is
   *   legal, or when it would take too much memory to know
   */
  solve: (
    roster: Roster,
    person: number,
    prices: Float64Array,
    first: number,
    end: number,
  ) => Int32Array | null;
  /** Upper estimate of the states of a window of so many days, in all days together. */
  states: (person: number, length: number) => number;
  /** Whether rows of a person are always the cheapest: limits of several kinds are kept by surcharges. */
  isExact: (person: number) => boolean;
  /** States reached so far: a measure of work that does not depend on the machine. */
  work: () => number;
}

/**
 * Solves rows by dynamic programming over days. A state is the group and length of the current run, or the days off so
 * far, with the units of minutes, the weekends and the shifts of the counted kind.
 */
export function rowSolver(problem: RosterProblem): RowSolver {
  const { days, unavailable } = problem;
  const width = problem.kinds.length + 1;
  const spaces = problem.people.map((rules) => rowSpaceOf(problem, rules));
  const mostGroups = Math.max(0, ...spaces.map(({ groups }) => groups.length));
  const row = new Int32Array(days);
  const surcharge = new Float64Array(width);
  const groupPrice = new Float64Array(mostGroups);
  /** Cheapest kind of each group, by `day * mostGroups + group`. */
  const groupKind = new Int32Array(days * mostGroups);
  const reached = new RowStates();
  let work = 0;

  function priceGroups(space: RowSpace, prices: Float64Array, day: number): void {
    for (let group = 0; group < space.groups.length; group++) {
      const kinds = space.groups[group];
      if (kinds === undefined) continue;
      let best = Number.POSITIVE_INFINITY;
      for (let index = 0; index < kinds.length; index++) {
        const kind = at(kinds, index);
        const total = realAt(prices, day * width + kind) + realAt(surcharge, kind);
        if (total >= best) continue;
        best = total;
        groupKind[day * mostGroups + group] = kind;
      }
      groupPrice[group] = best;
    }
  }

  function solveOnce(
    person: number,
    space: RowSpace,
    window: RowWindow,
    totals: WindowTotals,
    prices: Float64Array,
  ): boolean {
    const { first, end, kindBefore, lengthBefore } = window;
    const { mayFollow, units, minRun, maxRun, minDaysOff, countedGroup, longest } = space;
    const { isMostUnits, hasWeekends, hasCounted } = totals;
    const groups = space.groups.length;
    const firstOff = groups * maxRun;
    const weekendSpan = hasWeekends ? window.weekends + 1 : 1;
    const countSpan = hasCounted ? window.counted + 1 : 1;
    const size = (totals.units + 1) * weekendSpan * countSpan;
    if (kindBefore > 0 && lengthBefore > maxRun) return false;
    const slotBefore =
      kindBefore > 0
        ? at(space.groupOf, kindBefore) * maxRun + lengthBefore - 1
        : firstOff + Math.min(lengthBefore, minDaysOff) - 1;
    if (!reached.begin((firstOff + minDaysOff) * size, slotBefore * size)) return false;

    let from = 0;
    for (let day = first; day < end; day++) {
      priceGroups(space, prices, day);
      const to = reached.count;
      if (!reached.beginDay((to - from) * (groups + 1))) return false;
      const { state: states, price } = reached;
      const offPrice = realAt(prices, day * width);
      const mayWork = at(unavailable, person * days + day) === 0;
      const isSaturday = day % 7 === SATURDAY;
      const isSunday = day % 7 === SUNDAY;
      const fewest = window.minUnits - longest * mostWorkdays(space, end - day);
      for (let index = from; index < to; index++) {
        const state = at(states, index);
        const slot = (state / size) | 0;
        const rest = state - slot * size;
        const worked = (rest / (weekendSpan * countSpan)) | 0;
        if (worked < fewest) continue;
        const isOff = slot >= firstOff;
        const length = isOff ? slot - firstOff + 1 : (slot % maxRun) + 1;
        // A run or a block of days off that began on day 0 may be shorter than its minimum.
        if (isOff || length >= minRun || length === day) {
          const off = isOff && day > 0 ? Math.min(length, minDaysOff - 1) : 0;
          reached.reach((firstOff + off) * size + rest, realAt(price, index) + offPrice, index);
        }
        if (!mayWork || (isOff ? length < minDaysOff && length !== day : length >= maxRun))
          continue;
        const isNewWeekend = hasWeekends && (isSaturday || (isSunday && isOff));
        const weekends = (((rest / countSpan) | 0) % weekendSpan) + (isNewWeekend ? 1 : 0);
        if (weekends >= weekendSpan) continue;
        const counted = rest % countSpan;
        const previous = isOff ? -1 : (slot / maxRun) | 0;
        const run = isOff ? 0 : length;
        for (let group = 0; group < groups; group++) {
          if (previous >= 0 && at(mayFollow, previous * groups + group) === 0) continue;
          let unitsThen = worked + at(units, group);
          if (unitsThen > totals.units) {
            if (isMostUnits) continue;
            unitsThen = totals.units;
          }
          const countThen = hasCounted && group === countedGroup ? counted + 1 : counted;
          if (countThen >= countSpan) continue;
          reached.reach(
            (group * maxRun + run) * size +
              (unitsThen * weekendSpan + weekends) * countSpan +
              countThen,
            realAt(price, index) + realAt(groupPrice, group),
            index,
          );
        }
      }
      from = to;
    }
    work += reached.count;
    return readRow(space, window, size, from);
  }

  /** Whether the days after the window may follow a state of its last day. */
  function mayEnd(space: RowSpace, window: RowWindow, slot: number): boolean {
    const { end, kindAfter, lengthAfter, isOpenAfter } = window;
    if (end === days) return true;
    const { groups, maxRun, minRun, minDaysOff } = space;
    const firstOff = groups.length * maxRun;
    const isOff = slot >= firstOff;
    const length = isOff ? slot - firstOff + 1 : (slot % maxRun) + 1;
    const isOpen = isOpenAfter || length === end;
    if (isOff && kindAfter === 0) return isOpen || length + lengthAfter >= minDaysOff;
    if (isOff)
      return (
        (length >= minDaysOff || length === end) &&
        lengthAfter <= maxRun &&
        (isOpenAfter || lengthAfter >= minRun)
      );
    if (kindAfter === 0)
      return (length >= minRun || length === end) && (isOpenAfter || lengthAfter >= minDaysOff);
    const run = length + lengthAfter;
    const group = (slot / maxRun) | 0;
    const next = at(space.groupOf, kindAfter);
    return (
      run <= maxRun &&
      (isOpen || run >= minRun) &&
      at(space.mayFollow, group * groups.length + next) === 1
    );
  }

  /** Reads the cheapest row back from the states of the last day, which begin at `from`. */
  function readRow(space: RowSpace, window: RowWindow, size: number, from: number): boolean {
    const { first, end } = window;
    const { maxRun } = space;
    const firstOff = space.groups.length * maxRun;
    const totals = totalsOf(space, window);
    const countSpan = totals?.hasCounted ? window.counted + 1 : 1;
    const weekendSpan = totals?.hasWeekends ? window.weekends + 1 : 1;
    const isSundayAfter = end < days && end % 7 === SUNDAY && window.kindAfter > 0;
    let best = -1;
    for (let index = from; index < reached.count; index++) {
      const state = at(reached.state, index);
      const slot = (state / size) | 0;
      const rest = state % size;
      if (((rest / (weekendSpan * countSpan)) | 0) < window.minUnits) continue;
      const weekends = ((rest / countSpan) | 0) % weekendSpan;
      const isOneMore = isSundayAfter && slot >= firstOff;
      if (totals?.hasWeekends && isOneMore && weekends + 1 >= weekendSpan) continue;
      if (best >= 0 && realAt(reached.price, index) >= realAt(reached.price, best)) continue;
      if (mayEnd(space, window, slot)) best = index;
    }
    if (best < 0) return false;
    for (let day = end - 1; day >= first; day--) {
      const slot = (at(reached.state, best) / size) | 0;
      row[day] = slot >= firstOff ? 0 : at(groupKind, day * mostGroups + ((slot / maxRun) | 0));
      best = reached.cameFrom(best);
    }
    return true;
  }

  /** Shifts of a kind too many in the whole row. */
  function excessOf(roster: Roster, person: number, window: RowWindow, kind: number): number {
    let count = 0;
    for (let day = 0; day < days; day++) {
      const isInside = day >= window.first && day < window.end;
      if ((isInside ? at(row, day) : at(roster, person * days + day)) === kind) count++;
    }
    const rules = problem.people[person];
    return rules === undefined ? 0 : count - at(rules.maxOfKind, kind);
  }

  return {
    work: () => work,
    isExact: (person) => spaces[person]?.pricedKinds.length === 0,
    states: (person, length) => {
      const space = spaces[person];
      const rules = problem.people[person];
      if (space === undefined || rules === undefined) return 0;
      const weekends = Math.min(rules.maxWeekends, length / 7) + 1;
      const units = Math.min(rules.maxMinutes / space.unitMinutes, length * space.longest) + 1;
      const counted = space.countedKind > 0 ? at(rules.maxOfKind, space.countedKind) + 1 : 1;
      const slots = space.groups.length * space.maxRun + space.minDaysOff;
      return length * slots * weekends * units * Math.min(counted, length);
    },
    solve: (roster, person, prices, first, end) => {
      const space = spaces[person];
      if (space === undefined) return null;
      const window = windowOf(problem, space, roster, person, first, end);
      const totals = totalsOf(space, window);
      if (totals === null) return null;
      surcharge.fill(0);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!solveOnce(person, space, window, totals, prices)) return null;
        let isLegal = true;
        for (const kind of space.pricedKinds) {
          const excess = excessOf(roster, person, window, kind);
          if (excess <= 0) continue;
          isLegal = false;
          surcharge[kind] = realAt(surcharge, kind) * 1.8 || 8 * excess;
        }
        if (isLegal) return row;
      }
      return null;
    },
  };
}
