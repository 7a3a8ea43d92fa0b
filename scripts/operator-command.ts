import { StartError } from 'supabase-in-node/start-error';

/** Node quotes an argument that it does not expect. */
const withoutSecrets = (message: string): string => message.replace(/s3:\/\/\S*@/gi, 's3://…@');

/**
 * Runs a command of operators: a refusal is one sentence, Ctrl-C ends it in order.
 * @param work gets what Ctrl-C aborts, so that it leaves nothing half done
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  // Arguments may have a secret, and other users of the machine see them.
  process.title = 'node';
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
    console.error(isAborted ? 'Interrupted: nothing was changed.' : withoutSecrets(error.message));
    process.exitCode = 1;
  }
}
