import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { timeOrderedId } from './time-ordered-id.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-03-02T02:00:00Z') }));
afterEach(() => void vi.useRealTimers());

test('is a UUID of version 7, and sorts by time', () => {
  const first = timeOrderedId();
  vi.advanceTimersByTime(1);
  const second = timeOrderedId();
  expect(z.uuidv7().safeParse(first).success).toBe(true);
  expect(first < second).toBe(true);
  expect(first.slice(0, 8)).toBe('019cac46');
});

test('is different each time', () => {
  expect(new Set(Array.from({ length: 100 }, timeOrderedId)).size).toBe(100);
});
