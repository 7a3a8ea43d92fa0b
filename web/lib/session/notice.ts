// One thing that the person must be told about the session or the link they came by, until they have read it.
import { useSyncExternalStore } from 'react';

export type Notice = { tone: 'danger' | 'info'; title: string; text?: string };

let current: Notice | null = null;
const listeners = new Set<() => void>();

/** @param notice takes the place of the one before; null when it has been read */
export function tell(notice: Notice | null): void {
  current = notice;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useNotice(): Notice | null {
  return useSyncExternalStore(subscribe, () => current);
}
