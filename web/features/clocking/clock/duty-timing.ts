// Time as a guard feels it: how long until the shift, how late, how long on post.
import { formatMinutes } from '#web/lib/format/dates.ts';
import type { ClockShift } from './clock-event.ts';
import { type DutyStatus, formatClockTime, opensAt } from './duty-status.ts';

export type Timing = { text: string; isLate: boolean };

const minutesBetween = (from: number, to: number) => Math.floor((to - from) / 60_000);

function timingOnPost(shift: ClockShift, now: number): Timing {
  const end = formatClockTime(shift.end_time, shift.timezone, now);
  if (Date.parse(shift.end_time) <= now)
    return { text: `Your shift ended at ${end}`, isLate: false };
  const since = Date.parse(shift.clock_in_at ?? shift.start_time);
  const onPost = formatMinutes(Math.max(0, minutesBetween(since, now)));
  return { text: `On post ${onPost}, ends ${end}`, isLate: false };
}

function timingBefore(shift: ClockShift, now: number): Timing {
  const start = Date.parse(shift.start_time);
  const late = minutesBetween(start, now);
  if (late >= 1) return { text: `You are ${formatMinutes(late)} late`, isLate: true };
  // Rounded up: "Starts in 1 min" until it starts.
  const left = Math.ceil((start - now) / 60_000);
  return { text: left >= 1 ? `Starts in ${formatMinutes(left)}` : 'Starts now', isLate: false };
}

/** @returns undefined without a shift, and for a forgotten clock-out */
export function findTiming(duty: DutyStatus, now: number): Timing | undefined {
  if (duty.state === 'in') return duty.isForgotten ? undefined : timingOnPost(duty.shift, now);
  const [open] = duty.available;
  if (open) return timingBefore(open, now);
  if (!duty.next) return undefined;
  const { timezone } = duty.next;
  const opens = formatClockTime(new Date(opensAt(duty.next)).toISOString(), timezone, now);
  const { text } = timingBefore(duty.next, now);
  return { text: `${text}. Clock-in opens at ${opens}`, isLate: false };
}

/** Room on the button of a phone of 360 px. */
const MAX_SHORT_NAME = 16;

/** @returns the name of the site, or its first words */
export function shortSiteName(name: string): string {
  if (name.length <= MAX_SHORT_NAME) return name;
  const [first = name, ...others] = name.split(' ');
  let short = first;
  for (const word of others) {
    if (`${short} ${word}`.length > MAX_SHORT_NAME) break;
    short = `${short} ${word}`;
  }
  return short.replace(/[,;:-]+$/, '').trim();
}
