// Imported first in every bundle: sets up the globals of the Deno runtime before the function's own code runs.
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import ws from 'ws';
import { z } from 'zod';
import type { FromThread, ToThread } from '../messages.ts';
import { Calls } from './calls.ts';
import { Deno, hasHandler, registerDefault, requests, sendConsoleTo } from './deno.ts';

/** How often to check memory outside V8's heap, such as buffers, which the worker's resource limits don't include. */
const MEMORY_CHECK_MS = 250;

const { memoryBytes } = z.object({ memoryBytes: z.number() }).parse(workerData);

const send = (message: FromThread): void => parentPort?.postMessage(message);

sendConsoleTo(send);

/** Logs errors of background work. The work ends at the latest with the worker. */
function waitUntil(promise: Promise<unknown>): Promise<unknown> {
  const requestId = requests.getStore();
  Promise.resolve(promise).catch((error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    send({ kind: 'log', level: 'error', text, requestId });
  });
  return promise;
}

Object.assign(globalThis, {
  Deno,
  EdgeRuntime: { waitUntil },
  addEventListener: () => {},
  removeEventListener: () => {},
  // Node 20 has no WebSocket, which supabase-js needs.
  WebSocket: 'WebSocket' in globalThis ? globalThis.WebSocket : ws,
});

setInterval(() => {
  const bytes = getHeapStatistics().external_memory;
  if (bytes > memoryBytes) send({ kind: 'memory', bytes });
}, MEMORY_CHECK_MS);

/** Called when the function's module was evaluated. */
export function begin(module: Record<string, unknown>): void {
  registerDefault(module);
  if (!hasHandler()) throw new Error('The function never called Deno.serve.');
  const calls = new Calls(send);
  parentPort?.on('message', (message: ToThread) => calls.take(message));
  send({ kind: 'ready' });
}
