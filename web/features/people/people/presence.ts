// Where a person is now, from their duties.
import { formatTime, formatWeekday, toDay } from '#web/lib/format/dates.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import type { Duty } from './sections-api.ts';

export type Presence = { label: string; tone: Tone; detail: string; site?: Duty['shift']['site'] };

/** A clock-out missing longer than this after the end of the shift no longer means that the guard is there. */
const FORGOTTEN_MS = 12 * 3_600_000;
/** Until then nobody is late. */
const GRACE_MS = 5 * 60_000;

const startOf = ({ shift }: Duty) => Date.parse(shift.start_time);
const endOf = ({ shift }: Duty) => Date.parse(shift.end_time);
const timeOf = (instant: string, { shift }: Duty) => formatTime(instant, shift.site.timezone);

/** @param now milliseconds since 1970 */
export function findPresence(duties: readonly Duty[], now: number): Presence {
  const valid = duties.filter(({ status }) => status !== 'cancelled' && status !== 'no_show');
  const onPost = valid.find(
    (duty) => duty.attendance_state === 'in' && endOf(duty) + FORGOTTEN_MS > now,
  );
  if (onPost) {
    const { shift, attendance } = onPost;
    const since = attendance.find(({ clock_out_at }) => clock_out_at === null)?.clock_in_at;
    const parts = [
      since && `Clocked in ${timeOf(since, onPost)}`,
      `ends ${timeOf(shift.end_time, onPost)}`,
    ];
    return {
      label: 'On post',
      tone: 'green',
      detail: parts.filter(Boolean).join(', '),
      site: shift.site,
    };
  }
  const open = valid.filter((duty) => duty.attendance_state === 'none' && !duty.on_leave);
  const running = open.find((duty) => startOf(duty) + GRACE_MS <= now && endOf(duty) > now);
  if (running) {
    const detail = `Due since ${timeOf(running.shift.start_time, running)}, not clocked in`;
    return { label: 'Late', tone: 'red', detail, site: running.shift.site };
  }
  const next = open.find((duty) => endOf(duty) > now);
  const zone = next?.shift.site.timezone;
  const isToday = next && toDay(next.shift.start_time) === toDay(new Date(now).toISOString());
  if (next && isToday) {
    const detail = `${timeOf(next.shift.start_time, next)} to ${timeOf(next.shift.end_time, next)}`;
    return { label: 'Due today', tone: 'blue', detail, site: next.shift.site };
  }
  const day = next && zone && formatWeekday(next.shift.start_time, zone);
  const coming = next && `Next duty ${day}, ${timeOf(next.shift.start_time, next)}`;
  const isAway = valid.some((duty) => duty.on_leave && startOf(duty) <= now && endOf(duty) > now);
  return {
    label: isAway ? 'On leave' : 'Off duty',
    tone: isAway ? 'yellow' : 'grey',
    detail: coming || 'No duty in the next two weeks',
    ...(next && { site: next.shift.site }),
  };
}

/** @returns planned minutes, and those between clock-in and clock-out */
export function sumHours(duties: readonly Duty[]): { planned: number; worked: number } {
  const minutes = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000;
  let planned = 0;
  let worked = 0;
  for (const { status, on_leave, shift, attendance } of duties) {
    if (status !== 'cancelled' && !on_leave) planned += minutes(shift.start_time, shift.end_time);
    for (const { clock_in_at, clock_out_at } of attendance) {
      if (clock_out_at !== null) worked += minutes(clock_in_at, clock_out_at);
    }
  }
  return { planned: Math.round(planned), worked: Math.round(worked) };
}
