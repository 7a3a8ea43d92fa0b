// Counts broken rules from the letter of the rules, quarter by quarter where that is simplest. It shares nothing with the
// engine, so that a mistake in one shows against the other.
import type { RosterInput, RosterPair } from '#shared/roster/input.ts';

const HOUR = 60;
const DAY = 1440;

/** Shifts and changes of clocks begin at quarters. */
const QUARTER = 15;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Local date and time of a zone, in the platform's own words: '2026-11-23 02:00'. */
function localTime(minute: number, zone: string): { date: string; time: string } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  const [date = '', time = ''] = format.format(minute * 60_000).split(' ');
  return { date, time };
}

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY * 60_000).toISOString().slice(0, 10);
const mondayOf = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));

/** The first minute of a local day, searched around midnight in UTC. */
function midnight(date: string, zone: string): number {
  const around = Date.parse(date) / 60_000;
  for (let minute = around - DAY; minute <= around + DAY; minute += QUARTER)
    if (localTime(minute, zone).date === date) return minute;
  throw new Error(`No midnight of ${date}.`);
}

interface Duty {
  start: number;
  end: number;
}

function brokenOfDuties(input: RosterInput, duties: Duty[], changed: Set<Duty>): string[] {
  const { rules, zone } = input;
  const broken: string[] = [];
  const isNew = (...some: Duty[]) => some.some((duty) => changed.has(duty));
  const dateOf = ({ start }: Duty) => localTime(start, zone).date;
  for (const one of duties) {
    if (isNew(one) && one.end - one.start > rules.shift_hours * HOUR) broken.push('shift_hours');
    for (const other of duties)
      if (one !== other && isNew(one, other) && one.start <= other.start)
        if (other.start - one.end < rules.min_rest_hours * HOUR) broken.push('rest');
  }
  const weeks = new Set(
    [...changed].flatMap(({ start, end }) =>
      [start, end - 1].map((minute) => mondayOf(localTime(minute, zone).date)),
    ),
  );
  for (const monday of weeks) {
    const ofWeek = duties.filter((duty) => mondayOf(dateOf(duty)) === monday);
    const minutes = ofWeek.reduce((sum, { start, end }) => sum + end - start, 0);
    const limit = (rules.week_hours + rules.week_overtime_hours) * HOUR;
    if (isNew(...ofWeek) && minutes > limit) broken.push('week_hours');
    // A block of rest begins when the week or a duty's aftermath does.
    const [begin, end] = [midnight(monday, zone), midnight(addDays(monday, 7), zone)];
    const needed = rules.weekly_rest_hours * HOUR;
    const hasRest = [begin, ...duties.map((duty) => duty.end)].some(
      (from) =>
        from >= begin &&
        from + needed <= end &&
        duties.every((duty) => duty.end <= from || duty.start >= from + needed),
    );
    if (!hasRest) broken.push('weekly_rest');
  }
  const days = new Map<string, boolean>();
  const nights = new Map<string, boolean>();
  const at = rules.night_at.slice(0, 5);
  for (const duty of duties) {
    const mark = (map: Map<string, boolean>, date: string) =>
      map.set(date, (map.get(date) ?? false) || isNew(duty));
    mark(days, dateOf(duty));
    for (let minute = duty.start; minute < duty.end; minute += QUARTER) {
      const local = localTime(minute, zone);
      if (local.time === at) mark(nights, local.date);
    }
  }
  const hasLongRun = (map: Map<string, boolean>, most: number) =>
    [...map.keys()].some((first) => {
      const run = Array.from({ length: most + 1 }, (_, day) => map.get(addDays(first, day)));
      return run.every((day) => day !== undefined) && run.some(Boolean);
    });
  if (hasLongRun(days, rules.consecutive_days)) broken.push('consecutive_days');
  if (hasLongRun(nights, rules.consecutive_nights)) broken.push('consecutive_nights');
  return broken;
}

/**
 * @param roster everyone who works a shift of the input
 * @param isChanged the pairs that the engine added; what was broken before is not counted
 * @returns the broken rules, each with the person
 */
export function checkRoster(
  input: RosterInput,
  roster: readonly RosterPair[],
  isChanged: (pair: RosterPair) => boolean,
): string[] {
  const broken: string[] = [];
  const shiftOf = new Map(input.shifts.map((shift) => [shift.id, shift]));
  for (const person of input.people) {
    const own = roster.filter(({ user_id }) => user_id === person.id);
    const duties: Duty[] = person.outside.map(([start, end]) => ({ start, end }));
    const changed = new Set<Duty>();
    const add = (rule: string) => broken.push(`${person.id}: ${rule}`);
    for (const pair of own) {
      const shift = shiftOf.get(pair.shift_id);
      if (shift === undefined) continue;
      const duty = { start: shift.start, end: shift.end };
      duties.push(duty);
      if (!isChanged(pair)) continue;
      changed.add(duty);
      if (person.banned.includes(shift.site_id)) add('ban');
      const post = input.posts.find(({ id }) => id === shift.post_id);
      if (post === undefined) continue;
      const first = localTime(shift.start, input.zone).date;
      const last = localTime(shift.end - 1, input.zone).date;
      if (person.leave.some(([from, to]) => !(to < first || last < from))) add('leave');
      for (const course of post.courses)
        if (!((person.certificates[course] ?? 0) >= shift.end)) add('certificate');
      if (post.needs_induction && !person.inducted.includes(post.site_id)) add('induction');
      if (post.gender !== null && person.gender !== post.gender) add('gender');
    }
    for (const rule of brokenOfDuties(input, duties, changed)) add(rule);
  }
  for (const shift of input.shifts) {
    const people = roster.filter(({ shift_id }) => shift_id === shift.id);
    if (new Set(people.map(({ user_id }) => user_id)).size < people.length)
      broken.push(`${shift.id}: twice`);
    if (people.length > shift.headcount && people.some(isChanged))
      broken.push(`${shift.id}: too many`);
  }
  return broken;
}
