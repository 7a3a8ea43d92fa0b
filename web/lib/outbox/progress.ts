import { useSyncExternalStore } from 'react';

const shares = new Map<string, number>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param share of the upload that is done, 0 to 1; undefined resets it before a retry */
export function reportProgress(id: string, share: number | undefined): void {
  if (share === undefined) shares.delete(id);
  else shares.set(id, share);
  for (const listener of listeners) listener();
}

/** @returns the share that is done, 0 to 1; undefined before the upload starts */
export function useProgress(id: string): number | undefined {
  return useSyncExternalStore(subscribe, () => shares.get(id));
}
