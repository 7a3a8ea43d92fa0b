// The time that counts, on a device whose clock is wrong or is set while the page is open.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryStore } from './memory-store.ts';
import { learnServerOffset, serverOffset } from './server-clock.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T08:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'performance'] });
  vi.stubGlobal('fetch', async () => {
    const headers = { date: new Date(START + HOUR).toUTCString() };
    return new Response(null, { headers });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is learned once, and holds when the clock of the device is set back', async () => {
  const store = memoryStore();
  expect(await serverOffset(store)).toBeNull();
  await learnServerOffset(store);
  expect(await serverOffset(store)).toBe(HOUR + 500);
  vi.advanceTimersByTime(5 * 60_000);
  const truth = Date.now() + HOUR + 500;
  vi.setSystemTime(0);
  expect(Date.now() + ((await serverOffset(store)) ?? 0)).toBe(truth);
});

it('is never earlier than the last meeting, when a device comes back from an empty battery', async () => {
  const store = memoryStore();
  // Of another page, which is gone: far ahead of what this one has learned.
  const metAt = START + 48 * HOUR;
  await store.setValue('server-offset-ms', 0);
  await store.setValue('server-met-at-ms', metAt);
  vi.setSystemTime(0);
  expect(Date.now() + ((await serverOffset(store)) ?? 0)).toBe(metAt);
});
