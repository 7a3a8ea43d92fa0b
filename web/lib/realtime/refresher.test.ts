import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRefresher } from './refresher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function slowLoads() {
  const finish: (() => void)[] = [];
  const refresher = createRefresher(
    () => new Promise<void>((resolve) => void finish.push(resolve)),
    150,
  );
  return { finish, ...refresher };
}

it('loads once for many changes', async () => {
  const { finish, refresh } = slowLoads();
  for (let i = 0; i < 67; i += 1) refresh();
  await vi.advanceTimersByTimeAsync(150);
  expect(finish).toHaveLength(1);
});

it('finishes a load during changes, then loads once more', async () => {
  const { finish, refresh } = slowLoads();
  refresh();
  for (let i = 0; i < 20; i += 1) {
    await vi.advanceTimersByTimeAsync(150);
    refresh();
  }
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await vi.advanceTimersByTimeAsync(150);
  expect(finish).toHaveLength(2);
  finish[1]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(finish).toHaveLength(2);
});

it('uses the shortest delay of several changes, for all of them', async () => {
  const { finish, refresh } = slowLoads();
  refresh(2_000);
  await vi.advanceTimersByTimeAsync(500);
  refresh();
  refresh(2_000);
  await vi.advanceTimersByTimeAsync(150);
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(finish).toHaveLength(1);
});

it('does nothing after it was stopped', async () => {
  const { finish, refresh, stop } = slowLoads();
  refresh();
  stop();
  refresh();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(finish).toHaveLength(0);
});
