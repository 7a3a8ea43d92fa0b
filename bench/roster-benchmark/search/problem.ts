// A planning problem as the search sees it: people × days, and in each cell one kind of shift or 0 for off.

import { at } from '#shared/roster/arrays.ts';

export interface ShiftKind {
  id: string;
  minutes: number;
}

/** Limits of one person over the whole horizon. A run that touches its first or last day may be shorter than a minimum. */
export interface PersonRules {
  id: string;
  /** Most shifts of each kind, by kind; 0 for kinds that the person may not work. */
  maxOfKind: Int32Array;
  minMinutes: number;
  maxMinutes: number;
  minRun: number;
  maxRun: number;
  minDaysOff: number;
  /** A weekend counts when its Saturday or Sunday is worked. */
  maxWeekends: number;
}

export interface RosterProblem {
  /** Length of the horizon; day 0 is a Monday. */
  days: number;
  people: readonly PersonRules[];
  /** Numbered from 1: kind 0 is a day off. */
  kinds: readonly ShiftKind[];
  /** Whether the second kind may not be worked the day after the first, by `first * (kinds + 1) + second`. */
  forbiddenNext: Int32Array;
  /** Days on which a person can't work, by `person * days + day`. */
  unavailable: Int32Array;
  /** Cost of a cell, by `(person * days + day) * (kinds + 1) + kind`. */
  cellCost: Int32Array;
  /** People needed, by `day * (kinds + 1) + kind`, with the cost of each one too few and too many. */
  required: Int32Array;
  underCost: Int32Array;
  overCost: Int32Array;
}

/** Kinds in the order of people and days: `person * days + day`. */
export type Roster = Int32Array;

/** The least and the greatest positive cost of a list; `none` for both when there is none. */
export function costRange(costs: Int32Array, none: number): { least: number; greatest: number } {
  let least = Number.POSITIVE_INFINITY;
  let greatest = 0;
  for (let index = 0; index < costs.length; index++) {
    const cost = at(costs, index);
    if (cost > 0 && cost < least) least = cost;
    if (cost > greatest) greatest = cost;
  }
  return greatest > 0 ? { least, greatest } : { least: none, greatest: none };
}

/** Cost of an assignment of `kind` beside `others` people who already work it that day. */
export function coverCost(problem: RosterProblem, index: number, others: number): number {
  return others < at(problem.required, index)
    ? -at(problem.underCost, index)
    : at(problem.overCost, index);
}

/** People who work each kind each day, by `day * (kinds + 1) + kind`. */
export function countCover(problem: RosterProblem, roster: Roster): Int32Array {
  const width = problem.kinds.length + 1;
  const cover = new Int32Array(problem.days * width);
  for (let cell = 0; cell < roster.length; cell++) {
    const kind = at(roster, cell);
    const index = (cell % problem.days) * width + kind;
    if (kind > 0) cover[index] = at(cover, index) + 1;
  }
  return cover;
}

/** What the roster costs, rules aside. */
export function softCost(problem: RosterProblem, roster: Roster): number {
  const width = problem.kinds.length + 1;
  const cover = countCover(problem, roster);
  let cost = 0;
  for (let cell = 0; cell < roster.length; cell++)
    cost += at(problem.cellCost, cell * width + at(roster, cell));
  for (let index = 0; index < cover.length; index++) {
    const excess = at(cover, index) - at(problem.required, index);
    cost +=
      excess < 0 ? -excess * at(problem.underCost, index) : excess * at(problem.overCost, index);
  }
  return cost;
}
