// The time axis of the board: whole hours, so that it stands still while the line of now moves along it.
import { AHEAD_MS, BEHIND_MS, HOUR_MS } from './seat-states.ts';

export type TimeScale = { from: number; to: number };

/** @returns the window around now, from a whole hour: now is at a third of it */
export function scaleAt(now: number): TimeScale {
  const from = Math.floor(now / HOUR_MS) * HOUR_MS - BEHIND_MS;
  return { from, to: from + BEHIND_MS + HOUR_MS + AHEAD_MS };
}

/** Less of a bar is too narrow to press: two of sixteen hours are 44 px of a phone. */
const LEAST_SHOWN_MS = 2 * HOUR_MS;

/** @returns whether so little of an ended shift is left on the axis that it is no longer drawn */
export const isOffAxis = ({ from }: TimeScale, end: number) => end < from + LEAST_SHOWN_MS;

/** @returns where a time is on the axis, per cent, clamped to its ends */
export const percentAt = ({ from, to }: TimeScale, time: number) =>
  Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));

/** @returns left and width on the axis, per cent */
export function spanOn(scale: TimeScale, start: number, end: number) {
  const left = percentAt(scale, start);
  return { left: `${left}%`, width: `${Math.max(0, percentAt(scale, end) - left)}%` };
}

/** @param step hours between the ticks */
export function listTicks({ from, to }: TimeScale, step: number): number[] {
  const ticks: number[] = [];
  for (let time = from + HOUR_MS; time < to; time += step * HOUR_MS) ticks.push(time);
  return ticks;
}
