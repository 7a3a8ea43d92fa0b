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
});

it('the offset is measured once, and stays right when the device’s clock is set back', async () => {
  const store = memoryStore();
  expect(await serverOffset(store)).toBeNull();
  await learnServerOffset(store);
  expect(await serverOffset(store)).toBe(HOUR + 500);
  vi.advanceTimersByTime(5 * 60_000);
  const truth = Date.now() + HOUR + 500;
  vi.setSystemTime(0);
  expect(Date.now() + ((await serverOffset(store)) ?? 0)).toBe(truth);
});

it('the time is never before the last measurement, after an empty battery', async () => {
  const store = memoryStore();
  // From another page, now closed: far ahead of what this one has learned.
  const metAt = START + 48 * HOUR;
  await store.setValue('server-offset-ms', 0);
  await store.setValue('server-met-at-ms', metAt);
  vi.setSystemTime(0);
  expect(Date.now() + ((await serverOffset(store)) ?? 0)).toBe(metAt);
});
