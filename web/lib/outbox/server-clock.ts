// How far the server's clock is ahead of the device's. Stored, because clock events are recorded offline too.
import type { EntryStore } from './entry.ts';

const OFFSET = 'server-offset-ms';
const MEASURED_AT = 'server-met-at-ms';
/** The Date header of a slower response is too imprecise. */
const MAX_ROUND_TRIP_MS = 10_000;
/** The Date header has whole seconds, so it is half a second behind on average. */
const HALF_A_SECOND = 500;

/** Last measurement of this page: the server's time, and the monotonic clock at the same moment. */
let measured: { serverAt: number; ticks: number } | undefined;

async function getNumber(store: EntryStore, name: string): Promise<number | null> {
  const value = await store.getValue(name);
  return typeof value === 'number' ? value : null;
}

/**
 * The stored offset, increased if the device's clock was set back since, as after an empty battery: now is not before the
 * last measurement, plus the time that this page has been running since.
 * @returns milliseconds; null if this device has never reached the server
 */
export async function serverOffset(store: EntryStore): Promise<number | null> {
  const [offset, measuredAt] = await Promise.all([
    getNumber(store, OFFSET),
    getNumber(store, MEASURED_AT),
  ]);
  if (offset === null) return null;
  const byTicks = measured
    ? measured.serverAt + (performance.now() - measured.ticks)
    : Number.NEGATIVE_INFINITY;
  const earliest = Math.max(measuredAt ?? Number.NEGATIVE_INFINITY, byTicks);
  // Two measurements of one clock differ by their round trips.
  const isSetBack = Date.now() + offset < earliest - MAX_ROUND_TRIP_MS;
  return isSetBack ? Math.round(earliest - Date.now()) : offset;
}

/** Phone clocks drift little, and measuring costs as much as half a clock event. */
const VALID_MS = 600_000;

let measuring: Promise<void> | undefined;

async function measure(store: EntryStore): Promise<void> {
  const sentAt = Date.now();
  // HEAD: no cache or service worker stores the response.
  const answer = await fetch('/healthz', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(MAX_ROUND_TRIP_MS),
  }).catch(() => undefined);
  const receivedAt = Date.now();
  const serverDate = Date.parse(answer?.headers.get('date') ?? '');
  if (Number.isNaN(serverDate)) return;
  const offset = Math.round(serverDate + HALF_A_SECOND - (sentAt + receivedAt) / 2);
  measured = { serverAt: receivedAt + offset, ticks: performance.now() };
  await store.setValue(OFFSET, offset);
  await store.setValue(MEASURED_AT, measured.serverAt);
}

/** Measures the offset, unless the last measurement is recent. If the server doesn't respond, the stored one stays. */
export async function learnServerOffset(store: EntryStore): Promise<void> {
  const offset = await serverOffset(store);
  const now = Date.now() + (offset ?? 0);
  // By both clocks: the monotonic one may stop while the device sleeps, the other may have been set.
  const isRecent =
    measured !== undefined &&
    performance.now() - measured.ticks < VALID_MS &&
    Math.abs(now - measured.serverAt) < VALID_MS;
  if (isRecent) return;
  measuring ??= measure(store).finally(() => {
    measuring = undefined;
  });
  await measuring;
}
