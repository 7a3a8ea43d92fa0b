// How many people a post takes, and what the law says of one person who works a pattern.
// Limits: 48 hours a week, 5 more as overtime, 12 hours a day, 12 hours of rest a day and 36 a week
// (mywage.org/liberia, WageIndicator); they are the defaults of the rule set.
import {
  type Cycle,
  DAY_MINUTES,
  formatMinute,
  parseMinute,
  type Slot,
  weeklyHours,
} from './cycle.ts';

export interface WorkLimits {
  week_hours: number;
  week_overtime_hours: number;
  min_rest_hours: number;
  weekly_rest_hours: number;
  shift_hours: number;
  consecutive_days: number;
  consecutive_nights: number;
  /** A duty under way at this local time is a night. */
  night_at: string;
}

export const USUAL_LIMITS: WorkLimits = {
  week_hours: 48,
  week_overtime_hours: 5,
  min_rest_hours: 12,
  weekly_rest_hours: 36,
  shift_hours: 12,
  consecutive_days: 6,
  consecutive_nights: 4,
  night_at: '02:00',
};

const WEEKS_A_YEAR = 52;
/** Annual leave of 1 to 4 weeks by seniority, 10 paid sick days (mywage.org/liberia), and a week for training and family. */
const WEEKS_AWAY = { leave: 2.5, sickness: 2, training: 1 };

export interface GuardsNeeded {
  /** Hours a week. */
  hours: number;
  /** People who only work, none on leave. */
  working: number;
  /** More people for those on leave, sick or in training. */
  cover: number;
  total: number;
}

/** Shifts of one length that a person may work in a week: within the hours, and with a rest of the week. */
function shiftsAWeek(minutes: number, limits: WorkLimits): number {
  const byHours = Math.floor((limits.week_hours * 60) / minutes);
  return Math.max(1, Math.min(limits.consecutive_days, byHours));
}

export function guardsNeeded(cycle: Cycle, limits: WorkLimits = USUAL_LIMITS): GuardsNeeded {
  const working = cycle.slots.reduce((sum, { minutes, headcount }) => {
    const weekly = (headcount * 7) / cycle.cycle_days;
    return sum + weekly / shiftsAWeek(minutes, limits);
  }, 0);
  const away = WEEKS_AWAY.leave + WEEKS_AWAY.sickness + WEEKS_AWAY.training;
  const total = (working * WEEKS_A_YEAR) / (WEEKS_A_YEAR - away);
  return { hours: weeklyHours(cycle), working, cover: total - working, total };
}

/** Slots of the same time of day: what one person would work who always takes the same one. */
export interface Line {
  /** For example "06:00 to 18:00". */
  label: string;
  slots: Slot[];
}

export function toLines({ slots }: Cycle): Line[] {
  const lines = new Map<string, Slot[]>();
  for (const slot of slots) {
    const start = parseMinute(slot.start);
    const label = `${formatMinute(start)} to ${formatMinute(start + slot.minutes)}`;
    lines.set(label, [...(lines.get(label) ?? []), slot]);
  }
  return [...lines]
    .map(([label, of]) => ({ label, slots: of }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

export interface Judgement {
  /** Average hours a week of one person. */
  hours: number;
  isLawful: boolean;
  /** Exceeded limits, most important first. */
  problems: string[];
}

const round = (hours: number): string => String(Math.round(hours * 10) / 10);

interface Duty {
  start: number;
  end: number;
}

/** The longest run of days in which every day has a duty that passes the test. */
function longestRun(days: number, isOn: (day: number) => boolean): number {
  let run = 0;
  let longest = 0;
  for (let day = 0; day < days; day += 1) {
    run = isOn(day) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** The longest time without a duty within a week that begins on a day of the pattern. */
function weeklyRest(duties: readonly Duty[], firstDay: number): number {
  const end = (firstDay + 7) * DAY_MINUTES;
  let free = firstDay * DAY_MINUTES;
  let longest = 0;
  for (const duty of duties) {
    if (duty.end <= free || duty.start >= end) continue;
    longest = Math.max(longest, duty.start - free);
    free = duty.end;
  }
  return Math.max(longest, end - free) / 60;
}

/**
 * The law's limits for one person who works every one of these slots.
 * @param limits of the rule set in force
 */
export function judgePattern(
  { cycle_days, slots }: Cycle,
  limits: WorkLimits = USUAL_LIMITS,
): Judgement {
  // Cycles meet Mondays in every way within this time, and runs go on from one cycle to the next.
  const turns = 7 * Math.max(2, Math.ceil(5 / cycle_days));
  const days = cycle_days * turns;
  const duties = Array.from({ length: turns }, (_, turn) =>
    slots.map(({ day, start, minutes }) => {
      const at = (turn * cycle_days + day) * DAY_MINUTES + parseMinute(start);
      return { start: at, end: at + minutes };
    }),
  )
    .flat()
    .sort((a, b) => a.start - b.start);
  const hours = weeklyHours({
    cycle_days,
    slots: slots.map((slot) => ({ ...slot, headcount: 1 })),
  });
  const problems: string[] = [];
  const most = limits.week_hours + limits.week_overtime_hours;
  if (hours > most) problems.push(`averages ${round(hours)} h a week: over the limit of ${most} h`);
  else if (hours > limits.week_hours) {
    problems.push(
      `averages ${round(hours)} h a week: ${round(hours - limits.week_hours)} h of overtime every week`,
    );
  }
  const longest = Math.max(0, ...slots.map(({ minutes }) => minutes / 60));
  if (longest > limits.shift_hours) {
    problems.push(`${round(longest)} h at a stretch: over the limit of ${limits.shift_hours} h`);
  }
  const rest = Math.min(
    ...duties.slice(1).map((duty, i) => (duty.start - (duties[i]?.end ?? 0)) / 60),
  );
  if (rest < limits.min_rest_hours) {
    problems.push(
      `${round(Math.max(0, rest))} h of rest between shifts: ${limits.min_rest_hours} needed`,
    );
  }
  const onDays = new Set(duties.map(({ start }) => Math.floor(start / DAY_MINUTES)));
  const run = longestRun(days, (day) => onDays.has(day));
  if (run > limits.consecutive_days) {
    problems.push(
      run >= days
        ? 'no day off'
        : `${run} days in a row: over the limit of ${limits.consecutive_days}`,
    );
  }
  const nightAt = parseMinute(limits.night_at);
  const isNight = (day: number) =>
    duties.some(({ start, end }) => {
      const at = day * DAY_MINUTES + nightAt;
      return start <= at && at < end;
    });
  const nights = longestRun(days, isNight);
  if (nights > limits.consecutive_nights) {
    problems.push(
      nights >= days - 1
        ? 'every night'
        : `${nights} nights in a row: over the limit of ${limits.consecutive_nights}`,
    );
  }
  // A cycle of whole weeks meets Mondays in one way, and the planner can choose it; any other meets them in every way.
  const restFrom = (offset: number): number => {
    const weeks = Array.from({ length: Math.floor(days / 7) - 2 }, (_, week) => 7 * (week + 1));
    return Math.min(...weeks.map((first) => weeklyRest(duties, first + offset)));
  };
  const rests = [0, 1, 2, 3, 4, 5, 6].map(restFrom);
  const shortest = cycle_days % 7 === 0 ? Math.max(...rests) : Math.min(...rests);
  if (duties.length > 0 && shortest < limits.weekly_rest_hours) {
    problems.push(
      `at most ${round(shortest)} h free in some weeks: ${limits.weekly_rest_hours} needed`,
    );
  }
  return { hours, isLawful: !problems.some((problem) => !problem.includes('overtime')), problems };
}

/** Days on and off that a person can repeat, for slots of a length. */
const ROTATIONS = [
  { on: 4, off: 2 },
  { on: 4, off: 3 },
  { on: 4, off: 4 },
  { on: 5, off: 2 },
  { on: 6, off: 1 },
] as const;

export interface Rotation {
  /** For example "four on, two off". */
  name: string;
  judgement: Judgement;
}

const COUNT = ['none', 'one', 'two', 'three', 'four', 'five', 'six'] as const;

/** Usual rotations on one line, each with what the law says of it. */
export function rotationsFor({ slots }: Line, limits: WorkLimits = USUAL_LIMITS): Rotation[] {
  const [slot] = slots;
  if (slot === undefined) return [];
  return ROTATIONS.map(({ on, off }) => ({
    name: `${COUNT[on]} on, ${COUNT[off]} off`,
    judgement: judgePattern(
      {
        cycle_days: on + off,
        slots: Array.from({ length: on }, (_, day) => ({
          ...slot,
          slot: day + 1,
          day,
          headcount: 1,
        })),
      },
      limits,
    ),
  }));
}
