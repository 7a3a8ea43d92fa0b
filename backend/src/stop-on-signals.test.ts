import { afterEach, expect, test, vi } from 'vitest';
import { stopOnSignals } from './stop-on-signals.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

afterEach(() => {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('requests in flight get their whole time, and then a server that hangs is ended', () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, 'exit').mockImplementation((): never => undefined as never);
  const hangs = { stop: () => new Promise<void>(() => {}), hurry: vi.fn() };
  stopOnSignals(hangs, 20);
  process.emit('SIGTERM');
  vi.advanceTimersByTime(20_000);
  expect(exit).not.toHaveBeenCalled();
  process.emit('SIGTERM');
  expect(hangs.hurry).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(6_000);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});
