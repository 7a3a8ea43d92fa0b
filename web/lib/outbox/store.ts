// The page's entry store, and the values stored per user.
import type { EntryStore, OutboxEntry } from './entry.ts';
import { indexedDbStore } from './indexed-db-store.ts';
import { memoryStore } from './memory-store.ts';

let opened: Promise<EntryStore> | undefined;

/** Entries that last only while the page is open: the browser asks before the page is closed, reloaded or updated. */
function volatileStore(): EntryStore {
  const entries = new Map<string, OutboxEntry>();
  // A service worker is never asked.
  globalThis.window?.addEventListener('beforeunload', (event) => {
    if ([...entries.values()].some(({ state }) => state === 'waiting')) event.preventDefault();
  });
  return memoryStore(entries);
}

/** Falls back to memory if the browser blocks IndexedDB. */
export function outboxStore(): Promise<EntryStore> {
  opened ??= indexedDbStore().catch((error: unknown) => {
    console.warn('IndexedDB is unavailable, so entries last only while this page is open:', error);
    return volatileStore();
  });
  return opened;
}

const keyOf = (userId: string, name: string) => `${userId}:${name}`;

/** A small value of this user that the next visit needs offline. @returns unparsed, undefined if not set */
export async function getUserValue(userId: string, name: string): Promise<unknown> {
  return (await outboxStore()).getValue(keyOf(userId, name));
}

/** @throws OutboxFull when there is no space */
export async function setUserValue(userId: string, name: string, value: unknown): Promise<void> {
  await (await outboxStore()).setValue(keyOf(userId, name), value);
}
