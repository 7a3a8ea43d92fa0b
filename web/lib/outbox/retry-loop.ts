const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

/**
 * @param failures consecutive, from 1
 * @param random 0 to 1: phones that lost the same cell should not all retry in the same second
 * @returns milliseconds: 2 s, doubling up to a minute, minus up to a quarter
 */
export function retryDelay(failures: number, random: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS) * (1 - random / 4);
}

/**
 * Runs passes one at a time and retries with back-off while something is left.
 * @param pass tries everything once @returns whether nothing is left to retry
 * @returns starts a pass; resolves when everything was tried, never rejects
 */
export function retryLoop(pass: () => Promise<boolean>): () => Promise<void> {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isRequestedAgain = false;

  async function runPasses(): Promise<void> {
    do {
      isRequestedAgain = false;
      clearTimeout(timer);
      const isDone = await pass().catch((error: unknown) => {
        // Storage failed, or a handler's code could not be loaded.
        console.error('The outbox could not be sent:', error);
        return false;
      });
      failures = isDone ? 0 : failures + 1;
      if (!isDone) timer = setTimeout(start, retryDelay(failures, Math.random()));
    } while (isRequestedAgain);
    // Synchronously after the check above, so that an entry added now starts its own pass.
    running = undefined;
  }

  function start(): Promise<void> {
    if (running) isRequestedAgain = true;
    running ??= runPasses();
    return running;
  }
  return start;
}
