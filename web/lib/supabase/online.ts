// Whether the device is online: the browser reports a network, and the last request got a response. `navigator.onLine` is
// reliable only when false.
import { useSyncExternalStore } from 'react';

let isReachable = true;
const listeners = new Set<() => void>();
const responseListeners = new Set<() => void>();

function note(reached: boolean): void {
  if (reached === isReachable) return;
  isReachable = reached;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  listeners.add(listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
    listeners.delete(listener);
  };
}

/** Bytes that a browser sends for a page that is closed (64 kB for all requests together). */
const FAREWELL_BYTES = 4_000;

/** Longest that a response may take to begin, in milliseconds. Of a call and a write: longer than any statement of the database. */
const READ_MS = 30_000;
const STATEMENT_MS = 90_000;

/** @returns undefined for uploads and functions, which take as long as they need */
function longestWait(input: RequestInfo | URL, method = 'GET'): number | undefined {
  if (method === 'GET' || method === 'HEAD') return READ_MS;
  return String(input).includes('/rest/v1/') ? STATEMENT_MS : undefined;
}

/**
 * fetch, which gives up when no response begins: after the signal was lost, a browser waits for minutes on a connection
 * that is dead, and sends further requests on it.
 * @throws TypeError as for a connection that was refused
 */
async function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const wait = longestWait(input, init.method);
  if (wait === undefined) return fetch(input, init);
  const stopper = new AbortController();
  const { signal } = init;
  const stop = () => stopper.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const timer = setTimeout(() => {
    stopper.abort(new TypeError('Failed to fetch: no response in time'));
  }, wait);
  try {
    return await fetch(input, { ...init, signal: stopper.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** fetch, recording whether it got a response. A short request of a hidden page is sent also when the page is closed. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const isShort = typeof init?.body === 'string' && init.body.length < FAREWELL_BYTES;
  const keepalive = isShort && document.visibilityState === 'hidden';
  try {
    const answer = await fetchInTime(input, keepalive ? { ...init, keepalive } : init);
    note(true);
    for (const listener of responseListeners) listener();
    return answer;
  } catch (error) {
    // An aborted request says nothing about the network.
    if (!(error instanceof DOMException && error.name === 'AbortError')) note(false);
    throw error;
  }
};

/** Calls the listener after each response, whatever its status. */
export function onResponse(listener: () => void): void {
  responseListeners.add(listener);
}

/** Calls the listener when the network is back: the browser reports it, or a request gets a response again. */
export function onNetworkBack(listener: () => void): void {
  addEventListener('online', listener);
  listeners.add(() => {
    if (isReachable) listener();
  });
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine && isReachable);
}
