// Timers count monotonic time, which leaves out a sleep of the machine and a corrected or moved clock. Work that is due at a
// time of day must not wait on after that.

/** A jump that is shorter is left to the timers. */
const JUMP_MS = 500;
const CHECK_MS = 1_000;

const listeners = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;
/** Wall-clock time when `performance.now()` was 0. */
let origin = 0;

const originNow = (): number => Date.now() - performance.now();

/** Calls the listeners if the clock has jumped: at once, for who has moved it. */
export function checkWallClock(): void {
  const found = originNow();
  if (Math.abs(found - origin) < JUMP_MS) return;
  origin = found;
  for (const listener of [...listeners]) listener();
}

function startTimer(): void {
  clearInterval(timer);
  timer = listeners.size === 0 ? undefined : setInterval(checkWallClock, CHECK_MS).unref();
}

/** Calls the listener after the wall clock has jumped, forward or back. @returns a function that ends it */
export function onClockJump(listener: () => void): () => void {
  if (listeners.size === 0) origin = originNow();
  listeners.add(listener);
  if (listeners.size === 1) startTimer();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) startTimer();
  };
}
