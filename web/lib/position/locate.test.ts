import { afterEach, expect, test, vi } from 'vitest';
import { locate } from './locate.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a question for permission that nobody answers ends the wait', async () => {
  vi.useFakeTimers();
  // The browser's own timeout begins with the answer to the question.
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition: () => undefined } });
  const found = locate();
  await vi.advanceTimersByTimeAsync(15_000);
  await expect(found).resolves.toBeUndefined();
});
