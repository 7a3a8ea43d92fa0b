import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serverNow, setKnownOffset } from '../clock/server-now.ts';
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
  // Test files share their modules.
  setKnownOffset(undefined);
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

it('a clock that is set is measured again at once, and offline its time is corrected by the page’s own clock', async () => {
  const store = memoryStore();
  let truth = START + 3 * HOUR;
  let requests = 0;
  let isOnline = true;
  vi.stubGlobal('fetch', async () => {
    requests += 1;
    if (!isOnline) throw new TypeError('Failed to fetch');
    return new Response(null, { headers: { date: new Date(truth).toUTCString() } });
  });
  await learnServerOffset(store);
  const before = requests;
  await learnServerOffset(store);
  expect(requests).toBe(before);
  // The guard corrects the clock, which was 3 h slow.
  isOnline = false;
  vi.advanceTimersByTime(5 * 60_000);
  truth += 5 * 60_000;
  vi.setSystemTime(truth);
  expect(await serverOffset(store)).toBeNull();
  expect(Math.abs(serverNow() - truth)).toBeLessThan(1_000);
  await learnServerOffset(store);
  expect(requests).toBe(before + 1);
  isOnline = true;
  await learnServerOffset(store);
  expect(await serverOffset(store)).toBe(500);
});
