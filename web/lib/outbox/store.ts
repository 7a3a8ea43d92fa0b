// The page's entry store, and the values stored per user.
import type { EntryStore } from './entry.ts';
import { indexedDbStore } from './indexed-db-store.ts';
import { memoryStore } from './memory-store.ts';

let opened: Promise<EntryStore> | undefined;

/** Falls back to memory if the browser blocks IndexedDB. */
export function outboxStore(): Promise<EntryStore> {
  opened ??= indexedDbStore().catch((error: unknown) => {
    console.warn('IndexedDB is unavailable, so entries last only while this page is open:', error);
    return memoryStore();
  });
  return opened;
}

/** Asks the browser not to evict the entries when it needs space. */
export async function requestPersistence(): Promise<void> {
  await navigator.storage?.persist?.().catch(() => false);
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
