// When a post is manned: a cycle of days with slots. Day 0 is the first day on which the requirement is valid.

export interface Slot {
  /** Stable within the requirement: a shift remembers the slot that it was made for. */
  slot: number;
  /** 0 to `cycle_days` - 1. */
  day: number;
  /** Time of day at the site, HH:MM. */
  start: string;
  minutes: number;
  headcount: number;
}

export interface Cycle {
  cycle_days: number;
  slots: Slot[];
}

export const DAY_MINUTES = 1_440;
export const PRESETS = [
  'day_and_night_12',
  'day_and_night_8',
  'nights',
  'weekdays',
  'weekends',
  'one_off',
] as const;
export type Preset = (typeof PRESETS)[number];

export interface PresetOptions {
  /** First day of the requirement, YYYY-MM-DD: weekdays and weekends are counted from it. */
  from: string;
  headcount: number;
  /** Start of the first slot of a day; each preset has its own. */
  start?: string;
}

/** @returns 0 for Monday to 6 for Sunday */
export function findWeekday(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

export function parseMinute(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** @param minute of a day or later: 1500 is 01:00 */
export function formatMinute(minute: number): string {
  const inDay = ((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}

/** Slots of `minutes` one after the other, on each of these days of the cycle. */
function daily(
  days: readonly number[],
  starts: readonly number[],
  length: number,
  headcount: number,
) {
  return days.flatMap((day) =>
    starts.map((start) => ({ day, start: formatMinute(start), minutes: length, headcount })),
  );
}

const HOUR = 60;

function slotsOf(
  preset: Preset,
  { from, headcount, start }: PresetOptions,
): [number, Omit<Slot, 'slot'>[]] {
  const first = (usual: string): number => parseMinute(start ?? usual);
  /** Days of a seven-day cycle that fall on these weekdays. */
  const on = (...weekdays: number[]): number[] =>
    [0, 1, 2, 3, 4, 5, 6].filter((day) => weekdays.includes((findWeekday(from) + day) % 7));
  switch (preset) {
    case 'day_and_night_12': {
      const at = first('06:00');
      return [1, daily([0], [at, at + 12 * HOUR], 12 * HOUR, headcount)];
    }
    case 'day_and_night_8': {
      const at = first('06:00');
      return [1, daily([0], [at, at + 8 * HOUR, at + 16 * HOUR], 8 * HOUR, headcount)];
    }
    case 'nights':
      return [1, daily([0], [first('18:00')], 12 * HOUR, headcount)];
    case 'weekdays':
      return [7, daily(on(0, 1, 2, 3, 4), [first('08:00')], 9 * HOUR, headcount)];
    case 'weekends':
      return [7, daily(on(5, 6), [first('06:00')], 12 * HOUR, headcount)];
    case 'one_off':
      return [1, daily([0], [first('08:00')], 8 * HOUR, headcount)];
  }
}

export function presetCycle(preset: Preset, options: PresetOptions): Cycle {
  const [cycle_days, slots] = slotsOf(preset, options);
  return { cycle_days, slots: numbered(slots) };
}

/** Gives every slot a number, in order of time. Numbers that slots already have stay, so that their shifts stay theirs. */
export function numbered(slots: readonly (Omit<Slot, 'slot'> & { slot?: number })[]): Slot[] {
  let next = Math.max(0, ...slots.map(({ slot }) => slot ?? 0)) + 1;
  return [...slots]
    .sort((a, b) => a.day - b.day || parseMinute(a.start) - parseMinute(b.start))
    .map((slot) => ({ ...slot, slot: slot.slot ?? next++ }));
}

/** Hours a week of all guards together, on average. */
export function weeklyHours({ cycle_days, slots }: Cycle): number {
  const minutes = slots.reduce((sum, slot) => sum + slot.minutes * slot.headcount, 0);
  return (minutes / 60) * (7 / cycle_days);
}

/** The most guards who are on duty at the same time. */
export function mostAtOnce({ cycle_days, slots }: Cycle): number {
  const length = cycle_days * DAY_MINUTES;
  const events = slots.flatMap(({ day, start, minutes, headcount }) => {
    const begins = day * DAY_MINUTES + parseMinute(start);
    // Once more a cycle earlier, for a slot that runs into the next cycle.
    return [begins, begins - length].flatMap((at): [number, number][] => [
      [at, headcount],
      [at + minutes, -headcount],
    ]);
  });
  let now = 0;
  let most = 0;
  for (const [, change] of events.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** The slots of a cycle whose day 0 moves some days later, so that every calendar day keeps its slots. */
export function rotated({ cycle_days, slots }: Cycle, days: number): Slot[] {
  const by = ((days % cycle_days) + cycle_days) % cycle_days;
  return slots.map((slot) => ({ ...slot, day: (slot.day - by + cycle_days) % cycle_days }));
}
