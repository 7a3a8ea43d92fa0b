import type { Verdict } from './answers.ts';

export type Change = {
  id: string;
  outcome: 'added' | 'sent' | 'changed' | Verdict;
  /** The sent entry, which the outbox no longer has. Another version of the app in another tab may have made it. */
  sent?: unknown;
};

const listeners = new Set<(change: Change) => void>();
const OUTCOMES = new Set(['added', 'sent', 'changed', 'refused', 'offline', 'busy', 'signed-out']);

function isChange(data: unknown): data is Change {
  return (
    typeof data === 'object' &&
    data !== null &&
    'id' in data &&
    'outcome' in data &&
    typeof data.outcome === 'string' &&
    OUTCOMES.has(data.outcome)
  );
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('outbox') : undefined;
channel?.addEventListener('message', ({ data }) => {
  if (isChange(data)) notifyThisTab(data);
});

function notifyThisTab(change: Change): void {
  for (const listener of listeners) listener(change);
}

export function announce(change: Change): void {
  notifyThisTab(change);
  channel?.postMessage(change);
}

/** @returns the function that unsubscribes */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
