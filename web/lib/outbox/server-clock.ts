// How far the server's clock is ahead of this device's: learned whenever they meet, kept for when they don't.
import type { EntryStore } from './entry.ts';

const OFFSET = 'server-offset-ms';
const MET_AT = 'server-met-at-ms';
/** A slower answer tells too little about when it was written. */
const LONGEST_TRIP_MS = 10_000;
/** The Date header counts whole seconds; on average it is half a second old. */
const HALF_A_SECOND = 500;

/** What this page has learned: the server's time, and the time that only goes forward, of the same moment. */
let met: { serverAt: number; ticks: number } | undefined;

async function recalled(store: EntryStore, name: string): Promise<number | null> {
  const value = await store.recall(name);
  return typeof value === 'number' ? value : null;
}

/**
 * What was learned last; more where the clock of the device was set back meanwhile, as after an empty battery: it is later
 * than at the last meeting, and later by at least as long as this page has been awake since.
 * @returns milliseconds; null where this device has never met the server
 */
export async function serverOffset(store: EntryStore): Promise<number | null> {
  const [offset, metAt] = await Promise.all([recalled(store, OFFSET), recalled(store, MET_AT)]);
  if (offset === null) return null;
  const awake = met ? met.serverAt + (performance.now() - met.ticks) : Number.NEGATIVE_INFINITY;
  const earliest = Math.max(metAt ?? Number.NEGATIVE_INFINITY, awake);
  // Two readings of one clock differ by the trips of the answers.
  const isSetBack = Date.now() + offset < earliest - LONGEST_TRIP_MS;
  return isSetBack ? Math.round(earliest - Date.now()) : offset;
}

/** Clocks of phones drift little; asking costs as much as half a clock event. */
const TRUSTED_MS = 600_000;

let asking: Promise<void> | undefined;

async function ask(store: EntryStore): Promise<void> {
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
  const offset = Math.round(said + HALF_A_SECOND - (asked + answered) / 2);
  met = { serverAt: answered + offset, ticks: performance.now() };
  await store.remember(OFFSET, offset);
  await store.remember(MET_AT, met.serverAt);
}

/** Asks the server for its time, unless it was asked a moment ago. Without an answer what was known stays. */
export async function learnServerOffset(store: EntryStore): Promise<void> {
  const offset = await serverOffset(store);
  const now = Date.now() + (offset ?? 0);
  // By both clocks: neither was asleep nor set since.
  const isFresh =
    met !== undefined &&
    performance.now() - met.ticks < TRUSTED_MS &&
    Math.abs(now - met.serverAt) < TRUSTED_MS;
  if (isFresh) return;
  asking ??= ask(store).finally(() => {
    asking = undefined;
  });
  await asking;
}
