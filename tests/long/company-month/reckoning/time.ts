// Walks through a guard's time minute by minute and says what each minute is. Written from the rules of hours in
// docs/decisions/0040, not from the SQL: the database works with intervals and running sums, this with counters.
import { DAY, dayAt, isHoliday, isSunday, weekOf } from '../calendar.ts';
import type { Duty, Guard, Presence } from '../facts.ts';

const DAY_LIMIT = 12 * 60;
const WEEK_LIMIT = 48 * 60;
const NIGHT_FROM = 22 * 60;
const NIGHT_TO = 6 * 60;
const GRACE = 5;
const STANDARD_DAY = [8 * 60, 16 * 60] as const;
const SICK_DAYS = 10;

/** `holiday_beyond`: work on a holiday after the first 12 hours of the day or 48 of the week, which a salary does not pay. */
export type Class =
  | 'regular'
  | 'night'
  | 'overtime'
  | 'holiday'
  | 'holiday_beyond'
  | 'leave_paid'
  | 'leave_unpaid'
  | 'unpaid';

export const WORK: readonly Class[] = ['regular', 'night', 'overtime', 'holiday', 'holiday_beyond'];

export interface Time {
  /** How many minutes of each class a day has. */
  days: Map<number, Map<Class, number>>;
  /** The day on which the paid work of each shift began. */
  begun: number[];
  /** Planned minutes by day on which nobody was there. */
  missing: Map<number, number>;
  /** Minutes of lateness by day that count as on time. */
  grace: Map<number, number>;
}

const add = <Key>(sums: Map<Key, number>, key: Key, amount: number): number => {
  const sum = (sums.get(key) ?? 0) + amount;
  sums.set(key, sum);
  return sum;
};

const isNight = (minute: number): boolean => minute % DAY >= NIGHT_FROM || minute % DAY < NIGHT_TO;

/** Whether the guard is paid for being there at this minute. Overtime outside the plan is refused later. */
function isPaid(minute: number, duty: Duty, { decisions }: Presence): boolean {
  if (minute < duty.from) return decisions.early_arrival === true;
  return minute < duty.to || decisions.stayed_on !== false;
}

/** Sundays on which the guard began to work after six other days of the week. */
function restDays(duties: Duty[]): Set<number> {
  const starts = new Map<number, Set<number>>();
  for (const duty of duties) {
    const day = dayAt(duty.from);
    const isWorked = duty.presences.some((presence) => {
      for (let at = presence.in; at < presence.out; at += 1)
        if (isPaid(at, duty, presence)) return true;
      return false;
    });
    if (isWorked) starts.set(weekOf(day), (starts.get(weekOf(day)) ?? new Set()).add(day));
  }
  return new Set(
    [...starts.values()]
      .filter(({ size }) => size === 7)
      .flatMap((days) => [...days].filter(isSunday)),
  );
}

const tally = (time: Time, day: number, of: Class): void => {
  const classes = time.days.get(day) ?? new Map<Class, number>();
  time.days.set(day, classes);
  add(classes, of, 1);
};

/** A minute of a presence and what it counts as; work on a rest day is overtime. */
export interface Minute<D> {
  at: number;
  duty: D;
  presence: Presence;
  of: Class;
  isRestDay: boolean;
}

/** Every minute of one guard's work, in order. */
export function* minutesOfWork<D extends Duty>(duties: D[]): Generator<Minute<D>> {
  const ofDay = new Map<number, number>();
  const ofWeek = new Map<number, number>();
  const rest = restDays(duties);
  const walk = (at: number, duty: D, presence: Presence): Class => {
    if (!isPaid(at, duty, presence)) return 'unpaid';
    const day = dayAt(at);
    // Minutes beyond the day's limit don't count again towards the week's.
    const isWithin = add(ofDay, day, 1) <= DAY_LIMIT && add(ofWeek, weekOf(day), 1) <= WEEK_LIMIT;
    const isPlanned = at >= duty.from && at < duty.to;
    if (!isWithin && !isPlanned && presence.decisions.overtime === false) return 'unpaid';
    if (isHoliday(day)) return isWithin ? 'holiday' : 'holiday_beyond';
    if (!isWithin || isRest(day, duty)) return 'overtime';
    return isNight(at) ? 'night' : 'regular';
  };
  const isRest = (day: number, duty: D) => rest.has(day) && day === dayAt(duty.from);
  for (const duty of duties) {
    for (const presence of duty.presences) {
      for (let at = presence.in; at < presence.out; at += 1) {
        const of = walk(at, duty, presence);
        yield {
          at,
          duty,
          presence,
          of,
          isRestDay: of === 'overtime' && isRest(dayAt(at), duty),
        };
      }
    }
  }
}

function walkWork(guard: Guard, time: Time): void {
  const begun = new Map<Duty, number>();
  for (const { at, duty, of } of minutesOfWork(guard.duties)) {
    tally(time, dayAt(at), of);
    if (of !== 'unpaid' && !begun.has(duty)) begun.set(duty, dayAt(at));
  }
  time.begun.push(...begun.values());
}

const planned = ({ duties }: Guard, day: number): Duty[] =>
  duties.filter((duty) => dayAt(duty.from) <= day && dayAt(duty.to - 1) >= day);

/** A day that leave takes up: one with a shift, else a weekday that is no holiday. */
const isLeaveDay = (guard: Guard, day: number): boolean =>
  planned(guard, day).length > 0 || (!isSunday(day) && !isHoliday(day));

function* daysOfLeave(guard: Guard, type?: string): Generator<[day: number, type: string]> {
  for (const leave of guard.leave) {
    if (type !== undefined && leave.type !== type) continue;
    for (let day = leave.first; day <= leave.last; day += 1) yield [day, leave.type];
  }
}

/** Leave takes the planned minutes of its days, else a standard day; not those on which the guard came after all. */
function walkLeave(guard: Guard, time: Time): void {
  for (const [day, type] of daysOfLeave(guard)) {
    if (!isLeaveDay(guard, day)) continue;
    const sickDays = [...daysOfLeave(guard, 'sick')].filter(
      ([sick]) => sick <= day && isLeaveDay(guard, sick),
    ).length;
    const isPaidLeave = type === 'annual' || (type === 'sick' && sickDays <= SICK_DAYS);
    const duties = planned(guard, day);
    for (let at = day * DAY; at < (day + 1) * DAY; at += 1) {
      const isDue =
        duties.length > 0
          ? duties.some(({ from, to }) => at >= from && at < to)
          : at % DAY >= STANDARD_DAY[0] && at % DAY < STANDARD_DAY[1];
      const isHere = duties.some(({ presences }) =>
        presences.some((presence) => at >= presence.in && at < presence.out),
      );
      if (isDue && !isHere) tally(time, day, isPaidLeave ? 'leave_paid' : 'leave_unpaid');
    }
  }
}

/** Planned minutes without the guard. Nobody expects a guard whose shift touches leave. */
function missingOf(guard: Guard): Map<number, number> {
  const missing = new Map<number, number>();
  const away = new Set([...daysOfLeave(guard)].map(([day]) => day));
  for (const duty of guard.duties) {
    if (away.has(dayAt(duty.from)) || away.has(dayAt(duty.to - 1))) continue;
    for (let at = duty.from; at < duty.to; at += 1) {
      const isThere = duty.presences.some(
        (presence) => at < presence.out && (at >= presence.in || presence.in - duty.from <= GRACE),
      );
      if (!isThere) add(missing, dayAt(at), 1);
    }
  }
  return missing;
}

function graceOf(guard: Guard): Map<number, number> {
  const grace = new Map<number, number>();
  for (const duty of guard.duties) {
    const late = (duty.presences[0]?.in ?? duty.from) - duty.from;
    if (late >= 1 && late <= GRACE) add(grace, dayAt(duty.from), late);
  }
  return grace;
}

export function timeOf(guard: Guard): Time {
  const time: Time = {
    days: new Map(),
    begun: [],
    missing: missingOf(guard),
    grace: graceOf(guard),
  };
  walkWork(guard, time);
  walkLeave(guard, time);
  return time;
}
