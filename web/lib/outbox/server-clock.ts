// How far the server's clock is ahead of the device's. Stored, because clock events are recorded offline too.
import { JUMP_MS, type KnownOffset } from '../clock/offset.ts';
import {
  clockJumps,
  deviceNow,
  knownOffset,
  momentNow,
  setKnownOffset,
} from '../clock/server-now.ts';
import type { EntryStore } from './entry.ts';

const OFFSET = 'server-offset-ms';
const MEASURED_AT = 'server-met-at-ms';
const SEEN_AT = 'device-seen-at-ms';
const IS_DOUBTED = 'server-offset-doubted';
/** The Date header of a slower response is too imprecise. */
const MAX_ROUND_TRIP_MS = JUMP_MS;
/** The Date header has whole seconds, so it is half a second behind on average. */
const HALF_A_SECOND = 500;
/** How often a page stores that it has seen the device's clock. */
const STORE_SEEN_MS = 60_000;

/** Last measurement of this page: the server's time, and the monotonic clock at the same moment. */
let measured: { serverAt: number; ticks: number; jumps: number } | undefined;
/** The server's time of the measurement that this page goes by. */
let adoptedAt: number | undefined;
let stored: { seenAt: number; jumps: number } | undefined;

async function getNumber(store: EntryStore, name: string): Promise<number | undefined> {
  const value = await store.getValue(name);
  return typeof value === 'number' ? value : undefined;
}

/** Takes over what another page has measured, unless this page knows better. */
async function adoptStored(store: EntryStore): Promise<void> {
  const [offset, measuredAt, seenAt, doubted] = await Promise.all([
    getNumber(store, OFFSET),
    getNumber(store, MEASURED_AT),
    getNumber(store, SEEN_AT),
    store.getValue(IS_DOUBTED),
  ]);
  if (offset === undefined) {
    setKnownOffset(undefined);
    return;
  }
  if (knownOffset() && measuredAt === adoptedAt) return;
  adoptedAt = measuredAt;
  const deviceAt = seenAt ?? (measuredAt === undefined ? deviceNow() : measuredAt - offset);
  setKnownOffset({ offset, isDoubted: doubted === true, seen: { deviceAt, ticks: null } });
}

async function storeOffset(store: EntryStore, now: KnownOffset): Promise<void> {
  stored = { seenAt: now.seen.deviceAt, jumps: clockJumps() };
  await store.setValue(OFFSET, now.offset);
  await store.setValue(SEEN_AT, now.seen.deviceAt);
  await store.setValue(IS_DOUBTED, now.isDoubted);
}

/** The offset for screens: also when it is doubted. @returns undefined if this device has never reached the server */
export async function readOffset(store: EntryStore): Promise<KnownOffset | undefined> {
  await adoptStored(store);
  const known = knownOffset();
  if (!known) return undefined;
  const isCurrent =
    stored !== undefined &&
    stored.jumps === clockJumps() &&
    known.seen.deviceAt - stored.seenAt < STORE_SEEN_MS;
  // With full storage, a later page knows less about the clock.
  if (!isCurrent) await storeOffset(store, known).catch(console.warn);
  return known;
}

/**
 * The offset for records. Without one the server takes the device's time of sending instead, which is right as long as the
 * clock is not set in between.
 * @returns milliseconds; null if this device has never reached the server, or its clock may have been set since
 */
export async function serverOffset(store: EntryStore): Promise<number | null> {
  const known = await readOffset(store);
  return known && !known.isDoubted ? known.offset : null;
}

/** Phone clocks drift little, and measuring costs as much as half a clock event. */
const VALID_MS = 600_000;

let measuring: Promise<void> | undefined;

async function measure(store: EntryStore): Promise<void> {
  const sentAt = deviceNow();
  // HEAD: no cache or service worker stores the response.
  const answer = await fetch('/healthz', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(MAX_ROUND_TRIP_MS),
  }).catch(() => undefined);
  const receivedAt = deviceNow();
  const serverDate = Date.parse(answer?.headers.get('date') ?? '');
  if (Number.isNaN(serverDate)) return;
  const offset = Math.round(serverDate + HALF_A_SECOND - (sentAt + receivedAt) / 2);
  measured = { serverAt: receivedAt + offset, ticks: performance.now(), jumps: clockJumps() };
  const known = { offset, isDoubted: false, seen: momentNow() };
  setKnownOffset(known);
  adoptedAt = measured.serverAt;
  await storeOffset(store, known);
  await store.setValue(MEASURED_AT, measured.serverAt);
}

/** Measures the offset, unless the last measurement is recent. If the server doesn't respond, the stored one stays. */
export async function learnServerOffset(store: EntryStore): Promise<void> {
  const known = await readOffset(store);
  const now = deviceNow() + (known?.offset ?? 0);
  // By both clocks: the monotonic one may stop while the device sleeps, the other may have been set.
  const isRecent =
    measured !== undefined &&
    measured.jumps === clockJumps() &&
    known?.isDoubted === false &&
    performance.now() - measured.ticks < VALID_MS &&
    Math.abs(now - measured.serverAt) < VALID_MS;
  if (isRecent) return;
  measuring ??= measure(store).finally(() => {
    measuring = undefined;
  });
  await measuring;
}
