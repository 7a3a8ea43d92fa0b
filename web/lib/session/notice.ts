// One message about the session or the link that opened the page, shown until the user dismisses it.
import { useSyncExternalStore } from 'react';

export type Notice = { tone: 'danger' | 'info'; title: string; text?: string };

let current: Notice | null = null;
const listeners = new Set<() => void>();

/** @param notice replaces the previous one; null dismisses it */
export function showNotice(notice: Notice | null): void {
  current = notice;
  for (const listener of listeners) listener();
}

/** Dismisses this notice, if it is still the one on screen. */
export function withdrawNotice(notice: Notice): void {
  if (current === notice) showNotice(null);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useNotice(): Notice | null {
  // The build renders the sign-in page without a notice.
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}
