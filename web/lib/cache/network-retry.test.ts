import {
  environmentManager,
  notifyManager,
  QueryClient,
  QueryObserver,
} from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchedFetch } from '../supabase/online.ts';
import { refetchEvery, retryOnResponse } from './network-retry.ts';

beforeEach(() => {
  vi.useFakeTimers();
  environmentManager.setIsServer(() => false);
});
afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => typeof window === 'undefined');
});

const LOST = 'TypeError: Failed to fetch';

/** @param ms the query's own interval */
function observe(ms?: number) {
  let failure: string | undefined = LOST;
  const queryFn = vi.fn(async () => {
    if (failure) throw new Error(failure);
    return 'rows';
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  retryOnResponse(client);
  const states: string[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['shifts'],
    queryFn,
    refetchInterval: refetchEvery(ms),
  });
  // As React's adapter does.
  const note = () => void states.push(observer.getCurrentResult().status);
  const stop = observer.subscribe(notifyManager.batchCalls(note));
  return {
    queryFn,
    observer,
    states,
    stop,
    becomes: (next: string | undefined) => {
      failure = next;
    },
    /** Number of attempts after this many more seconds. */
    attemptsAfter: async (seconds: number) => {
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      return queryFn.mock.calls.length;
    },
  };
}

it('refetches after growing pauses until rows come, and then no more', async () => {
  const { attemptsAfter, becomes, observer, stop } = observe();
  expect(await attemptsAfter(4)).toBe(1);
  expect(await attemptsAfter(2)).toBe(2);
  expect(await attemptsAfter(8)).toBe(2);
  expect(await attemptsAfter(2)).toBe(3);
  expect(await attemptsAfter(18)).toBe(3);
  expect(await attemptsAfter(2)).toBe(4);
  expect(await attemptsAfter(28)).toBe(4);
  expect(await attemptsAfter(2)).toBe(5);
  becomes(undefined);
  expect(await attemptsAfter(31)).toBe(6);
  expect(observer.getCurrentResult().data).toBe('rows');
  expect(await attemptsAfter(300)).toBe(6);
  becomes(LOST);
  await observer.refetch();
  expect(await attemptsAfter(6)).toBe(8);
  stop();
});

it('keeps the error while an attempt is in flight, but not for a component that is rendered later', async () => {
  const { attemptsAfter, observer, queryFn, states, stop } = observe();
  await attemptsAfter(1);
  states.length = 0;
  await attemptsAfter(60);
  expect(queryFn.mock.calls.length).toBeGreaterThan(3);
  expect(new Set(states)).toEqual(new Set(['error']));
  stop();
  observer.subscribe(() => undefined);
  expect(observer.getCurrentResult().status).toBe('pending');
  observer.destroy();
});

it('leaves errors of the server and unmounted queries alone', async () => {
  const { attemptsAfter, becomes, stop } = observe();
  await attemptsAfter(1);
  stop();
  expect(await attemptsAfter(300)).toBe(1);
  becomes('permission denied for table shifts');
  const refused = observe();
  refused.becomes('permission denied for table shifts');
  await refused.attemptsAfter(6);
  const attempts = refused.queryFn.mock.calls.length;
  expect(await refused.attemptsAfter(300)).toBe(attempts);
  refused.stop();
});

it('refetches while a proxy answers for a server that restarts, not at each of its answers', async () => {
  vi.stubGlobal('fetch', async () => new Response('Bad Gateway', { status: 502 }));
  const { attemptsAfter, becomes, observer, stop } = observe();
  becomes('Bad Gateway');
  await attemptsAfter(6);
  await observer.refetch();
  await watchedFetch('/rest/v1/sites');
  expect(await attemptsAfter(0)).toBe(3);
  becomes(undefined);
  expect(await attemptsAfter(21)).toBe(4);
  expect(observer.getCurrentResult().data).toBe('rows');
  stop();
});

it('shortens a longer interval of the query, and keeps it otherwise', async () => {
  const { attemptsAfter, becomes, stop } = observe(60_000);
  expect(await attemptsAfter(6)).toBe(2);
  becomes(undefined);
  expect(await attemptsAfter(10)).toBe(3);
  expect(await attemptsAfter(50)).toBe(3);
  expect(await attemptsAfter(20)).toBe(4);
  stop();
});

it('refetches as soon as another request gets a response', async () => {
  vi.stubGlobal('fetch', async () => new Response());
  const { attemptsAfter, becomes, observer, stop } = observe();
  await attemptsAfter(1);
  becomes(undefined);
  await watchedFetch('/rest/v1/sites');
  expect(await attemptsAfter(0)).toBe(2);
  expect(observer.getCurrentResult().data).toBe('rows');
  stop();
});
