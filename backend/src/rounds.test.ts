import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rounds } from './rounds.ts';

const HOUR_MS = 3_600_000;

let begun = 0;
let rounds: Rounds;
/** How far the wall clock has left the monotonic one behind. */
let jumpedMs = 0;

beforeEach(() => {
  vi.useFakeTimers();
  begun = 0;
  jumpedMs = 0;
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + jumpedMs);
  rounds = new Rounds(
    async () => {
      begun += 1;
    },
    { everyMs: HOUR_MS, afterErrorMs: HOUR_MS, onError: () => {} },
  );
  rounds.start();
});

afterEach(async () => {
  await rounds.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a round begins after its pause', async () => {
  await vi.advanceTimersByTimeAsync(HOUR_MS - 1);
  expect(begun).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toBe(1);
});

test('a machine that has slept past the time begins the round as soon as it is awake', async () => {
  jumpedMs = 2 * HOUR_MS;
  await vi.advanceTimersByTimeAsync(1_100);
  expect(begun).toBe(1);
});

test('a sleep that ends before the time shortens the rest of the pause', async () => {
  jumpedMs = HOUR_MS / 2;
  await vi.advanceTimersByTimeAsync(HOUR_MS / 2 - 1_000);
  expect(begun).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(begun).toBe(1);
});

test('a clock that is set back delays nothing', async () => {
  jumpedMs = -10 * HOUR_MS;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(begun).toBe(1);
});

test('a stopped one begins no round at a jump', async () => {
  await rounds.stop();
  jumpedMs = 2 * HOUR_MS;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(begun).toBe(0);
});

test('a clock that is moved during a round begins the next one at once', async () => {
  let end = () => {};
  const longer = new Rounds(
    () => {
      begun += 1;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
    { everyMs: HOUR_MS, afterErrorMs: HOUR_MS, onError: () => {} },
  );
  longer.start(0);
  await vi.advanceTimersByTimeAsync(1);
  jumpedMs = HOUR_MS / 2;
  await vi.advanceTimersByTimeAsync(1_100);
  expect(begun).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toBe(2);
  end();
  await longer.stop();
});
