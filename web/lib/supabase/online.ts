// Whether there is a network, as far as can be known: the browser says no, or the last request did not get through.
// A browser that says yes may be wrong; one that says no is not.
import { useSyncExternalStore } from 'react';

let isReached = true;
const listeners = new Set<() => void>();

function note(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
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

/** The browser's fetch, which remembers whether it got an answer. */
export const watchedFetch: typeof fetch = async (...request) => {
  try {
    const answer = await fetch(...request);
    note(true);
    return answer;
  } catch (error) {
    // What was called off says nothing about the network.
    if (!(error instanceof DOMException && error.name === 'AbortError')) note(false);
    throw error;
  }
};

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine && isReached);
}
