import { constants } from 'node:os';
import type { Running } from './start.ts';
import { StartError } from './start-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process exits this long after the time for requests in flight, whatever hangs. */
const STOP_LIMIT_MS = 5_500;

/**
 * Until the server runs: a signal aborts its start, which undoes what it has begun. The signal's reason is a StartError.
 * @returns `release`, to call before `stopOnSignals`
 */
export function abortOnSignals(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = (name: NodeJS.Signals): void => {
    controller.abort(
      new StartError('Stopped. The next start goes on from here.', {
        exitCode: 128 + constants.signals[name],
      }),
    );
  };
  for (const name of SIGNALS) process.on(name, abort);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, abort);
    },
  };
}

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
  for (const signal of SIGNALS) process.on(signal, stop);
}
