// Whether the device is online: the browser reports a network, and the last request got a response. `navigator.onLine` is
// reliable only when false.
import { useSyncExternalStore } from 'react';

let isReachable = true;
const listeners = new Set<() => void>();

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

/** fetch, recording whether it got a response. */
export const watchedFetch: typeof fetch = async (...request) => {
  try {
    const answer = await fetch(...request);
    note(true);
    return answer;
  } catch (error) {
    // An aborted request says nothing about the network.
    if (!(error instanceof DOMException && error.name === 'AbortError')) note(false);
    throw error;
  }
};

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine && isReachable);
}
