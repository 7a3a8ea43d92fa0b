import { at } from '#shared/roster/arrays.ts';
import type { Roster, RosterProblem } from './problem.ts';

const SATURDAY = 5;
const SUNDAY = 6;

/**
 * @returns a function that counts by how much a person's row breaks the rules: 0 is a legal row, and each day, shift or
 *   weekend too many or too few counts one
 */
export function rowRules(problem: RosterProblem): (roster: Roster, person: number) => number {
  const { days, kinds, people, forbiddenNext } = problem;
  const width = kinds.length + 1;
  const minutesOf = Int32Array.from([0, ...kinds.map(({ minutes }) => minutes)]);
  const shortest = Math.max(1, Math.min(...kinds.map(({ minutes }) => minutes)));
  const column = (pick: (rules: (typeof people)[number]) => number) =>
    Int32Array.from(people, pick);
  const minMinutes = column((rules) => rules.minMinutes);
  const maxMinutes = column((rules) => rules.maxMinutes);
  const minRun = column((rules) => rules.minRun);
  const maxRun = column((rules) => rules.maxRun);
  const minDaysOff = column((rules) => rules.minDaysOff);
  const maxWeekends = column((rules) => rules.maxWeekends);
  const maxOfKind = people.map((rules) => Int32Array.from(rules.maxOfKind));
  /** Kinds whose limit can be reached at all. */
  const limitedKinds = maxOfKind.map((limits) =>
    Int32Array.from([...limits.keys()].filter((kind) => kind > 0 && at(limits, kind) < days)),
  );
  const count = new Int32Array(width);

  return (roster, person) => {
    const start = person * days;
    const runLimit = at(maxRun, person);
    const runMinimum = at(minRun, person);
    const offMinimum = at(minDaysOff, person);
    let broken = 0;
    let minutes = 0;
    let weekends = 0;
    let run = 0;
    let off = 0;
    let previous = 0;
    count.fill(0);
    for (let day = 0; day < days; day++) {
      const kind = at(roster, start + day);
      if (kind === 0) {
        if (previous !== 0) {
          if (run < runMinimum && run !== day) broken += runMinimum - run;
          off = 0;
          run = 0;
        }
        off++;
      } else {
        minutes += at(minutesOf, kind);
        count[kind] = at(count, kind) + 1;
        if (previous !== 0) broken += at(forbiddenNext, previous * width + kind);
        else if (off < offMinimum && off !== day) broken += offMinimum - off;
        run++;
        if (run > runLimit) broken++;
        const weekday = day % 7;
        if (weekday === SATURDAY || (weekday === SUNDAY && previous === 0)) weekends++;
      }
      previous = kind;
    }
    const over = minutes - at(maxMinutes, person);
    const under = at(minMinutes, person) - minutes;
    if (over > 0) broken += Math.ceil(over / shortest);
    else if (under > 0) broken += Math.ceil(under / shortest);
    broken += Math.max(0, weekends - at(maxWeekends, person));
    const limits = maxOfKind[person];
    const limited = limitedKinds[person];
    if (limits === undefined || limited === undefined) return broken;
    for (let index = 0; index < limited.length; index++) {
      const kind = at(limited, index);
      broken += Math.max(0, at(count, kind) - at(limits, kind));
    }
    return broken;
  };
}
