// The one clock of the guard's screens, of shared devices and of the muster. A phone's clock may be hours off, and may be set
// while the page is open, so no screen decides by it.
import { followClock, hasJumped, type KnownOffset, type Moment } from './offset.ts';

let known: KnownOffset | undefined;
let jumps = 0;

/** Milliseconds since 1970 by the device's clock, right or wrong: to stamp records, which the server corrects, and to measure. */
export const deviceNow = (): number => Date.now();

export const momentNow = (): Moment => ({ deviceAt: Date.now(), ticks: performance.now() });

/** @returns what is known of the offset now; undefined if it was never measured, or not read yet */
export function knownOffset(): KnownOffset | undefined {
  if (!known) return undefined;
  const now = momentNow();
  if (hasJumped(known, now)) jumps += 1;
  known = followClock(known, now);
  return known;
}

/** @returns how often the device's clock was set, or the device slept, while this page was open */
export function clockJumps(): number {
  knownOffset();
  return jumps;
}

export function setKnownOffset(offset: KnownOffset | undefined): void {
  known = offset;
}

/** @returns milliseconds since 1970 by the server's clock; by the device's while nothing is known */
export function serverNow(): number {
  return Date.now() + (knownOffset()?.offset ?? 0);
}

export const serverNowIso = (): string => new Date(serverNow()).toISOString();
