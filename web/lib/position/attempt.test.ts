import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { awaitAttempt, currentAttempt, followAttempt, startAttempt } from './attempt.ts';
import { ageOf, isFresh } from './locate.ts';

const MINUTE = 60_000;
let found: ((fix: unknown) => void) | undefined;
let failed: (() => void) | undefined;
let watches = 0;

const fix = (accuracy = 12) => ({
  coords: { latitude: 6.3, longitude: -10.8, accuracy },
  timestamp: Date.now(),
});

beforeEach(() => {
  vi.useFakeTimers();
  watches = 0;
  vi.stubGlobal('navigator', {
    geolocation: {
      watchPosition: (onFound: typeof found, onFailed: typeof failed) => {
        watches += 1;
        found = onFound;
        failed = onFailed;
        return watches;
      },
      clearWatch: () => undefined,
    },
  });
});
afterEach(() => {
  vi.runAllTimers();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a sheet that opens joins the attempt of the screen below, and its outcome', async () => {
  const leaveHome = followAttempt();
  expect(watches).toBe(1);
  const tapped = awaitAttempt();
  failed?.();
  await expect(tapped).resolves.toBeUndefined();
  const leaveSheet = followAttempt();
  expect(currentAttempt()).toEqual({ state: 'failed' });
  expect(watches).toBe(1);
  leaveSheet();
  leaveHome();
});

it('a tap before anything follows the position hands its failure over to the sheet', async () => {
  const tapped = awaitAttempt();
  failed?.();
  await expect(tapped).resolves.toBeUndefined();
  const leave = followAttempt();
  expect(currentAttempt()).toEqual({ state: 'failed' });
  expect(watches).toBe(1);
  leave();
  vi.advanceTimersByTime(3_000);
  // Later it is another attempt.
  followAttempt()();
  expect(watches).toBe(2);
});

it('a guard who has tapped waits 15 s at most, and the attempt goes on', async () => {
  const leave = followAttempt();
  const tapped = awaitAttempt();
  vi.advanceTimersByTime(15_000);
  await expect(tapped).resolves.toBeUndefined();
  expect(currentAttempt()).toEqual({ state: 'locating' });
  found?.(fix());
  expect(currentAttempt()).toMatchObject({ state: 'found', position: { accuracy: 12 } });
  leave();
});

it('a tap looks for a new position when the known one is old', async () => {
  const leave = followAttempt();
  found?.(fix());
  vi.advanceTimersByTime(5 * MINUTE);
  const tapped = awaitAttempt();
  expect(watches).toBe(2);
  found?.(fix(40));
  await expect(tapped).resolves.toMatchObject({ accuracy: 40 });
  leave();
});

it('the age counts by the page’s clock, and by the device’s after sleep', () => {
  startAttempt();
  found?.(fix());
  const attempt = currentAttempt();
  if (attempt.state !== 'found') throw new Error('Nothing was found.');
  const { position } = attempt;
  vi.advanceTimersByTime(MINUTE / 2);
  expect(ageOf(position)).toBe(MINUTE / 2);
  expect(isFresh(position)).toBe(true);
  vi.setSystemTime(Date.now() + 120 * MINUTE);
  expect(ageOf(position)).toBe(120.5 * MINUTE);
  expect(isFresh(position)).toBe(false);
});
