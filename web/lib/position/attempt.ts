// One attempt to find the position at a time, which all screens share: a sheet goes on where the screen below it is.
import { isFresh, POSITION_OPTIONS, type Position, TAP_TIMEOUT_MS, toPosition } from './locate.ts';

export type Attempt =
  | { state: 'locating' }
  | { state: 'found'; position: Position }
  | { state: 'failed' };

/** A sheet that opens joins the attempt of the screen that opened it. */
const HANDOVER_MS = 2_000;

let attempt: Attempt = { state: 'locating' };
let stopWatching: (() => void) | undefined;
let followers = 0;
const listeners = new Set<() => void>();

function become(next: Attempt): void {
  attempt = next;
  for (const listener of [...listeners]) listener();
}

function fail(): void {
  // The last position stays: its age is shown.
  if (attempt.state !== 'found') become({ state: 'failed' });
}

function watch(): void {
  stopWatching?.();
  stopWatching = undefined;
  if (!('geolocation' in navigator)) {
    fail();
    return;
  }
  // The browser's timeout begins with the answer to its question, which a user may leave open.
  const unanswered = setTimeout(fail, POSITION_OPTIONS.timeout + 1_000);
  const id = navigator.geolocation.watchPosition(
    (fix) => {
      clearTimeout(unanswered);
      become({ state: 'found', position: toPosition(fix) });
    },
    () => {
      clearTimeout(unanswered);
      fail();
    },
    POSITION_OPTIONS,
  );
  stopWatching = () => {
    clearTimeout(unanswered);
    navigator.geolocation.clearWatch(id);
  };
}

function stopIfUnused(): void {
  if (followers > 0) return;
  stopWatching?.();
  stopWatching = undefined;
  if (attempt.state === 'failed') become({ state: 'locating' });
}

export const currentAttempt = (): Attempt => attempt;

export function onAttempt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Starts over, as if nothing had been found. */
export function startAttempt(): void {
  become({ state: 'locating' });
  watch();
}

/** Follows the position, or joins the attempt that runs. @returns the function that ends it */
export function followAttempt(): () => void {
  followers += 1;
  if (!stopWatching) {
    const isStale = attempt.state !== 'found' || !isFresh(attempt.position);
    if (isStale) startAttempt();
    else watch();
  }
  let isFollowing = true;
  return () => {
    if (!isFollowing) return;
    isFollowing = false;
    followers -= 1;
    setTimeout(stopIfUnused, HANDOVER_MS);
  };
}

/** Asks for permission if necessary. @returns undefined if the attempt fails, or takes too long for a guard who has tapped */
export function awaitAttempt(): Promise<Position | undefined> {
  const leave = followAttempt();
  // A device that lies still reports no new position by itself.
  if (attempt.state === 'found' && !isFresh(attempt.position)) startAttempt();
  return new Promise<Position | undefined>((resolve) => {
    const timer = setTimeout(() => finish(undefined), TAP_TIMEOUT_MS);
    const stop = onAttempt(read);
    function finish(position: Position | undefined) {
      clearTimeout(timer);
      stop();
      leave();
      resolve(position);
    }
    function read() {
      if (attempt.state === 'found') finish(attempt.position);
      else if (attempt.state === 'failed') finish(undefined);
    }
    read();
  });
}
