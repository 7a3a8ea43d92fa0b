// How long to wait before what could not be sent is tried again.
// One thing after the other, again after a while where something is left, and never twice at once.

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

/**
 * @param failures passes in a row that got nowhere, from 1
 * @param random from 0 to 1: phones that lost the same mast should not all come back in the same second
 * @returns milliseconds: 2 s doubling up to a minute, less up to a quarter
 */
export function retryDelay(failures: number, random: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS) * (1 - random / 4);
}

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
