import { type Calendar, shortTime } from './calendar.ts';
import type { RosterRules } from './input.ts';

export interface RuleProblem {
  rule: string;
  message: string;
  /** Whether the database accepts it with a reason. */
  can_override: boolean;
}

/** A span that a person works, in minutes. */
export interface Duty {
  start: number;
  end: number;
}

const MINUTES_OF_HOUR = 60;

const MINUTES_OF_TENTH = 6;

/** Hours with one decimal at most, rounded so that a limit that is just missed never looks met. */
const atLeast = (minutes: number): string => String(Math.floor(minutes / MINUTES_OF_TENTH) / 10);
const atMost = (minutes: number): string => String(Math.ceil(minutes / MINUTES_OF_TENTH) / 10);
const figure = (hours: number): string => String(Math.round(hours * 10) / 10);

/** The longest time without a duty between two instants. */
function longestRest(duties: readonly Duty[], from: number, to: number): number {
  let longest = 0;
  let free = from;
  for (const { start, end } of duties) {
    longest = Math.max(longest, Math.min(start, to) - free);
    free = Math.max(free, end);
  }
  return Math.max(longest, to - free);
}

/** How many days in a row have a duty, around `day`. */
function runLength(days: ReadonlySet<number>, day: number): number {
  let first = day;
  let last = day;
  while (days.has(first - 1)) first--;
  while (days.has(last + 1)) last++;
  return last - first + 1;
}

/**
 * The law's objections to a duty beside a person's other duties. A duty belongs to the day and week in which it
 * starts. Overlapping duties break no further rule.
 */
export function dutyProblems(
  rules: RosterRules,
  calendar: Calendar,
  zone: string,
  duty: Duty,
  others: readonly Duty[],
): RuleProblem[] {
  const { dayOf, weekOf, startOf, firstDayOf, nightsOf } = calendar;
  const overlap = others.find(({ start, end }) => start < duty.end && end > duty.start);
  if (overlap !== undefined) {
    const [from, to] = [shortTime(overlap.start, zone), shortTime(overlap.end, zone)];
    return [
      { rule: 'overlap', message: `Already on a shift, ${from} to ${to}`, can_override: false },
    ];
  }

  const problems: RuleProblem[] = [];
  const add = (rule: string, message: string, can_override = true) =>
    problems.push({ rule, message, can_override });
  const all = [...others, duty].sort((a, b) => a.start - b.start);
  const day = dayOf(duty.start);
  const week = weekOf(day);

  const rests = others.map(({ start, end }) => Math.max(duty.start - end, start - duty.end));
  const shortest = Math.min(...rests);
  if (shortest < rules.min_rest_hours * MINUTES_OF_HOUR)
    add(
      'rest',
      `${atLeast(shortest)} h rest, ${figure(rules.min_rest_hours)} needed`,
      shortest >= rules.min_rest_override_hours * MINUTES_OF_HOUR,
    );

  const length = duty.end - duty.start;
  if (length > rules.shift_hours * MINUTES_OF_HOUR)
    add(
      'shift_hours',
      `${figure(rules.shift_hours)} h a shift at most, this one has ${atMost(length)} h`,
    );

  const limit = rules.week_hours + rules.week_overtime_hours;
  const minutes = all
    .filter(({ start }) => weekOf(dayOf(start)) === week)
    .reduce((sum, { start, end }) => sum + end - start, 0);
  if (minutes > limit * MINUTES_OF_HOUR)
    add('week_hours', `${figure(limit)} h a week at most, this would make ${atMost(minutes)} h`);

  const lastWeek = weekOf(dayOf(duty.end - 1));
  for (let touched = week; touched <= lastWeek; touched++) {
    const from = startOf(firstDayOf(touched));
    const rest = longestRest(all, from, startOf(firstDayOf(touched + 1)));
    if (rest >= rules.weekly_rest_hours * MINUTES_OF_HOUR) continue;
    const needed = figure(rules.weekly_rest_hours);
    add('weekly_rest', `${needed} h weekly rest needed, the longest would be ${atLeast(rest)} h`);
    break;
  }

  const days = runLength(new Set(all.map(({ start }) => dayOf(start))), day);
  if (days > rules.consecutive_days)
    add(
      'consecutive_days',
      `${rules.consecutive_days} days in a row at most, this would make ${days}`,
    );

  const [night] = nightsOf(duty.start, duty.end, rules.night_at);
  if (night === undefined) return problems;
  const nights = new Set(all.flatMap(({ start, end }) => nightsOf(start, end, rules.night_at)));
  const run = runLength(nights, night);
  if (run > rules.consecutive_nights)
    add(
      'consecutive_nights',
      `${rules.consecutive_nights} nights in a row at most, this would make ${run}`,
    );
  return problems;
}
