import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isConnectionError } from '../errors/error-message.ts';
import { watchedFetch } from './online.ts';

/** Receives requests and never answers, like a connection that died with the signal. */
let silent: Server;
let url: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  silent = createServer(() => undefined);
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
});
afterEach(() => {
  vi.useRealTimers();
  silent.closeAllConnections();
  silent.close();
});

/** Sends it and waits until it has arrived. */
async function send(path: string, init?: RequestInit) {
  const arrived: Promise<IncomingMessage[]> = once(silent, 'request');
  let outcome: unknown = 'waiting';
  const ended = watchedFetch(`${url}${path}`, init).then(
    () => undefined,
    (error: unknown) => {
      outcome = error;
    },
  );
  const [request] = await arrived;
  return {
    ended,
    closed: request && once(request.socket, 'close'),
    outcomeAfter: async (seconds: number) => {
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      if (outcome === 'waiting') await Promise.race([ended, new Promise(setImmediate)]);
      return outcome;
    },
  };
}

it.each([
  ['a read', '/rest/v1/sites?select=id', undefined, 30],
  ['a call', '/rest/v1/rpc/my_shifts', { method: 'POST' }, 90],
  ['a write', '/rest/v1/sites?id=eq.1', { method: 'PATCH' }, 90],
])(
  '%s without a response counts as lost, and its connection is closed',
  async (_what, path, init, seconds) => {
    const { outcomeAfter, ended, closed } = await send(path, init);
    expect(await outcomeAfter(seconds - 1)).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
    expect(isConnectionError(await outcomeAfter(0))).toBe(true);
    await closed;
  },
);

it('an upload may take as long as it needs', async () => {
  const { outcomeAfter } = await send('/storage/v1/object/evidence/a.jpg', { method: 'POST' });
  expect(await outcomeAfter(3600)).toBe('waiting');
});

it('a caller that gives up gets its own reason', async () => {
  const stopper = new AbortController();
  const { ended, outcomeAfter } = await send('/rest/v1/sites', { signal: stopper.signal });
  stopper.abort(new Error('The screen was closed.'));
  await ended;
  expect(await outcomeAfter(0)).toEqual(new Error('The screen was closed.'));
});
