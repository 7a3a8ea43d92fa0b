import type { Running } from './start.ts';

/** The process exits by then whatever hangs: service managers kill it after ten seconds. */
const STOP_LIMIT_MS = 9_500;

/** Stops on Ctrl-C and SIGTERM; a second signal cuts off the requests in flight. */
export function stopOnSignals(running: Running): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) {
      running.hurry();
      return;
    }
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}
