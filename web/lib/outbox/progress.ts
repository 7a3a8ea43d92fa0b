// How far something is that goes on in the background, for whatever part of the screen shows it.
import { useSyncExternalStore } from 'react';

const shares = new Map<string, number>();
const listeners = new Set<() => void>();

function listen(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param share that is done, 0 to 1; undefined when it has to begin again */
export function reportProgress(id: string, share: number | undefined): void {
  if (share === undefined) shares.delete(id);
  else shares.set(id, share);
  for (const listener of listeners) listener();
}

/** @returns the share that is done, 0 to 1; undefined before it has begun */
export function useProgress(id: string): number | undefined {
  return useSyncExternalStore(listen, () => shares.get(id));
}
