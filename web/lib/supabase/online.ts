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

/** fetch, recording whether it got a response. A short request of a hidden page is sent also when the page is closed. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const isShort = typeof init?.body === 'string' && init.body.length < FAREWELL_BYTES;
  const keepalive = isShort && document.visibilityState === 'hidden';
  try {
    const answer = await fetch(input, keepalive ? { ...init, keepalive } : init);
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

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine && isReachable);
}
