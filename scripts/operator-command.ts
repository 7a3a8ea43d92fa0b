import { StartError } from 'supabase-in-node/start-error';

/**
 * Runs a command of operators: a refusal is one sentence, Ctrl-C ends it in order.
 * @param work gets what Ctrl-C aborts, so that it leaves nothing half done
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stopping.abort());
  }
  try {
    await work(stopping.signal);
  } catch (error) {
    const isUsage = error instanceof TypeError && 'code' in error;
    const isAborted = error instanceof Error && error.name === 'AbortError';
    if (!(error instanceof StartError) && !isUsage && !isAborted) throw error;
    console.error(isAborted ? 'Interrupted: nothing was changed.' : error.message);
    process.exitCode = 1;
  }
}
