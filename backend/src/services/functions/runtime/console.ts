import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { FromThread, LogLevel } from '../wire.ts';

/** The id of the request being handled. */
export const requests = new AsyncLocalStorage<string>();

const LEVELS: Record<'debug' | 'log' | 'info' | 'warn' | 'error', LogLevel> = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
};
const MAX_LINE_LENGTH = 10_000;

/** Sends console output to the server's log, with the id of its request. */
export function sendConsoleTo(send: (message: FromThread) => void): void {
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    console[method] = (...parts: unknown[]) => {
      const text = format(...parts).slice(0, MAX_LINE_LENGTH);
      send({ kind: 'log', level: LEVELS[method], text, requestId: requests.getStore() });
    };
  }
}
