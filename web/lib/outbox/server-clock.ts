// How far the server's clock is ahead of this device's: learned whenever they meet, kept for when they don't.
import type { EntryStore } from './entry-store.ts';

const NAME = 'server-offset-ms';
/** A slower answer tells too little about when it was written. */
const LONGEST_TRIP_MS = 10_000;
/** The Date header counts whole seconds; on average it is half a second old. */
const HALF_A_SECOND = 500;

/** @returns milliseconds; null where this device has never met the server */
export async function serverOffset(store: EntryStore): Promise<number | null> {
  const offset = await store.recall(NAME);
  return typeof offset === 'number' ? offset : null;
}

/** Clocks of phones drift little; asking costs as much as half a clock event. */
const TRUSTED_MS = 600_000;

let learntAt = Number.NEGATIVE_INFINITY;

/** Asks the server for its time, unless it was asked a moment ago. Without an answer what was known stays. */
export async function learnServerOffset(store: EntryStore): Promise<void> {
  if (performance.now() - learntAt < TRUSTED_MS) return;
  const asked = Date.now();
  // HEAD: nothing on the way, neither a cache nor a service worker, keeps the answer to one.
  const answer = await fetch('/healthz', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(LONGEST_TRIP_MS),
  }).catch(() => undefined);
  const answered = Date.now();
  const said = Date.parse(answer?.headers.get('date') ?? '');
  if (Number.isNaN(said)) return;
  learntAt = performance.now();
  await store.remember(NAME, Math.round(said + HALF_A_SECOND - (asked + answered) / 2));
}
