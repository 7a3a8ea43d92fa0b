// Reloading on changes: gathered, never cut off, never missed.
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

it('makes one load of many changes', async () => {
  const { finish, refresh } = slowLoads();
  for (let i = 0; i < 67; i += 1) refresh();
  await vi.advanceTimersByTimeAsync(150);
  expect(finish).toHaveLength(1);
});

it('lets a load finish however many changes come, and loads once more afterwards', async () => {
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

it('loads as soon as the most pressing change asks for it, and then for all', async () => {
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

it('does nothing once nobody looks', async () => {
  const { finish, refresh, stop } = slowLoads();
  refresh();
  stop();
  refresh();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(finish).toHaveLength(0);
});
