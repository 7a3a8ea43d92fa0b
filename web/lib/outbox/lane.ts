// One thing after the other, again after a while where something is left, and never twice at once.
import { retryDelay } from './retry-delay.ts';

/**
 * @param pass tries everything once @returns whether nothing is left that a later try could do
 * @returns the call that sets it going; it resolves when everything was tried, and never throws
 */
export function lane(pass: () => Promise<boolean>): () => Promise<void> {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;

  async function passes(): Promise<void> {
    do {
      isAskedAgain = false;
      clearTimeout(timer);
      const isDone = await pass().catch((error: unknown) => {
        // The browser's storage, or a part of the app that a bad line did not bring.
        console.error('The outbox could not be sent:', error);
        return false;
      });
      failures = isDone ? 0 : failures + 1;
      if (!isDone) timer = setTimeout(start, retryDelay(failures, Math.random()));
    } while (isAskedAgain);
    // In the same breath as the question above: an entry added now begins a pass of its own.
    running = undefined;
  }

  function start(): Promise<void> {
    if (running) isAskedAgain = true;
    running ??= passes();
    return running;
  }
  return start;
}
