import { at } from '#shared/roster/arrays.ts';
import type { Roster, RosterProblem } from './problem.ts';

const SATURDAY = 5;

/**
 * Counts broken rules as `rowRules` does, but from what changes: it keeps the totals of each person, and looks only at
 * the runs and blocks of days off beside the changed days. Several times faster for long horizons.
 */
export class RowTallies {
  /** How much each person's row is wrong. */
  readonly broken: Int32Array;
  private readonly width: number;
  private readonly shortest: number;
  private readonly minutesOf: Int32Array;
  private readonly forbiddenNext: Int32Array;
  private readonly minutes: Int32Array;
  private readonly weekends: Int32Array;
  /** Days too many or too few in runs and blocks of days off, and forbidden pairs. */
  private readonly order: Int32Array;
  /** Shifts of each kind, by `person * (kinds + 1) + kind`, and their limits. */
  private readonly counts: Int32Array;
  private readonly limits: Int32Array;
  private readonly excess: Int32Array;
  /** What `after` found and `accept` keeps. */
  private readonly next: { minutes: Int32Array; weekends: Int32Array; order: Int32Array };
  private readonly rules: Record<
    'minMinutes' | 'maxMinutes' | 'minRun' | 'maxRun' | 'minDaysOff' | 'maxWeekends',
    Int32Array
  >;
  private readonly days: number;

  constructor(
    problem: RosterProblem,
    private readonly roster: Roster,
  ) {
    const { days, people, kinds } = problem;
    const column = (pick: (rules: (typeof people)[number]) => number): Int32Array =>
      Int32Array.from(people, pick);
    const zeros = (): Int32Array => column(() => 0);
    this.days = days;
    this.width = kinds.length + 1;
    this.minutesOf = Int32Array.from([0, ...kinds.map(({ minutes }) => minutes)]);
    this.shortest = Math.max(1, Math.min(...kinds.map(({ minutes }) => minutes)));
    this.forbiddenNext = problem.forbiddenNext;
    this.rules = {
      minMinutes: column((rules) => rules.minMinutes),
      maxMinutes: column((rules) => rules.maxMinutes),
      minRun: column((rules) => rules.minRun),
      maxRun: column((rules) => rules.maxRun),
      minDaysOff: column((rules) => rules.minDaysOff),
      maxWeekends: column((rules) => rules.maxWeekends),
    };
    this.broken = zeros();
    this.minutes = zeros();
    this.weekends = zeros();
    this.order = zeros();
    this.excess = zeros();
    this.next = { minutes: zeros(), weekends: zeros(), order: zeros() };
    this.counts = new Int32Array(people.length * this.width);
    this.limits = new Int32Array(people.length * this.width).fill(days);
    people.forEach(({ maxOfKind }, person) => {
      this.limits.set(maxOfKind.subarray(1), person * this.width + 1);
      for (let day = 0; day < days; day++) {
        const kind = at(roster, person * days + day);
        this.minutes[person] = at(this.minutes, person) + at(this.minutesOf, kind);
        this.count(person, 0, kind);
      }
      this.weekends[person] = this.weekendsIn(person, 0, days);
      this.order[person] = this.orderIn(person, 0, days);
      this.broken[person] = this.sum(
        person,
        at(this.minutes, person),
        at(this.weekends, person),
        at(this.order, person),
      );
    });
  }

  /**
   * @param before kinds that the days from `first` up to but without `end` had before they changed
   * @returns how much the person's row is wrong now; call `accept` to keep it, or change the days back
   */
  after(person: number, first: number, end: number, before: Int32Array): number {
    const { roster, days, minutesOf, next } = this;
    const start = person * days;
    let from = first;
    while (from > 0 && at(roster, start + from - 1) > 0 === at(roster, start + first - 1) > 0)
      from--;
    let to = end;
    while (to < days && at(roster, start + to) > 0 === at(roster, start + end) > 0) to++;
    const order = this.orderIn(person, from, to);
    const weekends = this.weekendsIn(person, first, end);
    let minutes = at(this.minutes, person);
    for (let day = first; day < end; day++) {
      const kind = at(roster, start + day);
      const old = at(before, day - first);
      minutes += at(minutesOf, kind) - at(minutesOf, old);
      this.count(person, old, kind);
    }
    this.swapDays(start + first, before, end - first);
    next.order[person] = at(this.order, person) + order - this.orderIn(person, from, to);
    next.weekends[person] =
      at(this.weekends, person) + weekends - this.weekendsIn(person, first, end);
    this.swapDays(start + first, before, end - first);
    next.minutes[person] = minutes;
    const broken = this.sum(person, minutes, at(next.weekends, person), at(next.order, person));
    for (let day = end - 1; day >= first; day--)
      this.count(person, at(roster, start + day), at(before, day - first));
    return broken;
  }

  /** Keeps what the last call of `after` for a person found. */
  accept(person: number, first: number, end: number, before: Int32Array, broken: number): void {
    for (let day = first; day < end; day++)
      this.count(person, at(before, day - first), at(this.roster, person * this.days + day));
    this.broken[person] = broken;
    this.minutes[person] = at(this.next.minutes, person);
    this.weekends[person] = at(this.next.weekends, person);
    this.order[person] = at(this.next.order, person);
  }

  /** Replaces a shift of one kind by another, of which 0 is none. */
  private count(person: number, old: number, kind: number): void {
    if (old === kind) return;
    const lost = person * this.width + old;
    const gained = person * this.width + kind;
    this.counts[lost] = at(this.counts, lost) - 1;
    this.counts[gained] = at(this.counts, gained) + 1;
    if (old > 0 && at(this.counts, lost) >= at(this.limits, lost))
      this.excess[person] = at(this.excess, person) - 1;
    if (kind > 0 && at(this.counts, gained) > at(this.limits, gained))
      this.excess[person] = at(this.excess, person) + 1;
  }

  private swapDays(cell: number, other: Int32Array, length: number): void {
    for (let index = 0; index < length; index++) {
      const kind = at(this.roster, cell + index);
      this.roster[cell + index] = at(other, index);
      other[index] = kind;
    }
  }

  private sum(person: number, minutes: number, weekends: number, order: number): number {
    const { rules, shortest } = this;
    const over = minutes - at(rules.maxMinutes, person);
    const under = at(rules.minMinutes, person) - minutes;
    const wrong = over > 0 ? over : Math.max(under, 0);
    const tooMany = weekends - at(rules.maxWeekends, person);
    return (
      order +
      at(this.excess, person) +
      (wrong > 0 ? Math.ceil(wrong / shortest) : 0) +
      Math.max(tooMany, 0)
    );
  }

  /** Worked weekends of the weeks that some days belong to. */
  private weekendsIn(person: number, first: number, end: number): number {
    const { roster, days } = this;
    const start = person * days;
    let count = 0;
    for (let day = first - (first % 7) + SATURDAY; day - SATURDAY < end; day += 7) {
      if (day >= days) break;
      const isSundayWorked = day + 1 < days && at(roster, start + day + 1) > 0;
      if (at(roster, start + day) > 0 || isSundayWorked) count++;
    }
    return count;
  }

  /** What is wrong with runs and blocks of days off, of which the first begins and the last ends with the days given. */
  private orderIn(person: number, first: number, end: number): number {
    const { roster, days, rules, width, forbiddenNext } = this;
    const start = person * days;
    const maxRun = at(rules.maxRun, person);
    let broken = 0;
    let begin = first;
    let previous = at(roster, start + first);
    for (let day = first + 1; day <= end; day++) {
      const kind = day < end ? at(roster, start + day) : previous > 0 ? 0 : 1;
      if (kind > 0 === previous > 0) {
        if (kind > 0) broken += at(forbiddenNext, previous * width + kind);
      } else {
        const length = day - begin;
        const least = at(previous > 0 ? rules.minRun : rules.minDaysOff, person);
        if (previous > 0 && length > maxRun) broken += length - maxRun;
        if (length < least && begin > 0 && day < days) broken += least - length;
        begin = day;
      }
      previous = kind;
    }
    return broken;
  }
}
