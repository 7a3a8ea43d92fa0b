import { at } from '#shared/roster/arrays.ts';
import type { PersonRules, RosterProblem } from './problem.ts';

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** What the row solver has to know of one person, in the units that keep its states few. */
export interface RowSpace {
  /** Kinds of equal length that may follow and be followed by the same kinds: only the cheapest of a day matters. */
  groups: readonly Int32Array[];
  /** Group of each kind, -1 for kinds that the person may not work. */
  groupOf: Int32Array;
  /** Whether the second group may be worked the day after the first, by `first * groups + second`. */
  mayFollow: Int32Array;
  /** Length of a shift of each group, in units of `unitMinutes`. */
  units: Int32Array;
  longest: number;
  unitMinutes: number;
  minRun: number;
  maxRun: number;
  minDaysOff: number;
  /** The kind with the tightest limit is counted in the state, 0 for none; limits of `pricedKinds` are kept by surcharges. */
  countedKind: number;
  countedGroup: number;
  pricedKinds: readonly number[];
}

/** Kinds that can be told apart neither by their length nor by what may be worked before and after them. */
function groupKinds(problem: RosterProblem, kinds: readonly number[], alone: number): Int32Array[] {
  const { forbiddenNext } = problem;
  const width = problem.kinds.length + 1;
  const bySignature = new Map<string, number[]>();
  for (const kind of kinds) {
    const after = kinds.map((other) => at(forbiddenNext, kind * width + other));
    const before = kinds.map((other) => at(forbiddenNext, other * width + kind));
    const minutes = problem.kinds[kind - 1]?.minutes;
    const signature = [minutes, kind === alone ? kind : 0, ...after, ...before].join();
    const group = bySignature.get(signature);
    if (group) group.push(kind);
    else bySignature.set(signature, [kind]);
  }
  return [...bySignature.values()].map((group) => Int32Array.from(group));
}

export function rowSpaceOf(problem: RosterProblem, rules: PersonRules): RowSpace {
  const width = problem.kinds.length + 1;
  const maxRun = Math.min(rules.maxRun, problem.days);
  const kinds = problem.kinds
    .map((_, index) => index + 1)
    .filter((kind) => maxRun > 0 && at(rules.maxOfKind, kind) > 0);
  const minutesOf = (kind: number): number => problem.kinds[kind - 1]?.minutes ?? 0;
  const minutes = kinds.map(minutesOf);
  const unitMinutes = minutes.reduce(commonDivisor, 0) || 1;
  const shortest = Math.max(1, Math.min(...minutes));
  const mostShifts = Math.min(problem.days, Math.floor(rules.maxMinutes / shortest));
  const [countedKind = 0, ...pricedKinds] = kinds
    .filter((kind) => at(rules.maxOfKind, kind) < mostShifts)
    .sort((a, b) => at(rules.maxOfKind, a) - at(rules.maxOfKind, b));

  const groups = groupKinds(problem, kinds, countedKind);
  const groupOf = new Int32Array(width).fill(-1);
  groups.forEach((group, index) => {
    for (const kind of group) groupOf[kind] = index;
  });
  const mayFollow = new Int32Array(groups.length * groups.length);
  groups.forEach((one, first) => {
    groups.forEach((other, second) => {
      const pair = at(one, 0) * width + at(other, 0);
      mayFollow[first * groups.length + second] = 1 - at(problem.forbiddenNext, pair);
    });
  });
  const units = Int32Array.from(groups, (group) => minutesOf(at(group, 0)) / unitMinutes);
  return {
    groups,
    groupOf,
    mayFollow,
    units,
    longest: Math.max(0, ...units),
    unitMinutes,
    minRun: rules.minRun,
    maxRun,
    minDaysOff: Math.max(1, Math.min(rules.minDaysOff, problem.days)),
    countedKind,
    countedGroup: at(groupOf, countedKind),
    pricedKinds,
  };
}

/** Most days that a person can work among so many, by the longest run and the fewest days off between two. */
export function mostWorkdays({ maxRun, minDaysOff }: RowSpace, days: number): number {
  const cycle = maxRun + minDaysOff;
  return Math.floor(days / cycle) * maxRun + Math.min(days % cycle, maxRun);
}
