import type { Running } from './start.ts';

/** The process exits this long after the time for requests in flight, whatever hangs. */
const STOP_LIMIT_MS = 5_500;

/**
 * Stops on Ctrl-C and SIGTERM; a second signal cuts off the requests in flight.
 * @param drainSeconds time for requests in flight
 */
export function stopOnSignals(
  running: Pick<Running, 'stop' | 'hurry'>,
  drainSeconds: number,
): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) {
      running.hurry();
      return;
    }
    stopping = true;
    setTimeout(() => process.exit(1), drainSeconds * 1000 + STOP_LIMIT_MS).unref();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}
