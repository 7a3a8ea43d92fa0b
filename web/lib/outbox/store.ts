// The one store of this page.
// Small things that a person's next visit needs without a network: theirs alone, on this device.
import type { EntryStore } from './entry.ts';
import { indexedDbStore } from './indexed-db-store.ts';
import { memoryStore } from './memory-store.ts';

let opened: Promise<EntryStore> | undefined;

/** Opens the device's database; without one, what is made here lasts as long as the page. */
export function outboxStore(): Promise<EntryStore> {
  opened ??= indexedDbStore().catch((error: unknown) => {
    console.warn('This browser keeps no database, so nothing waits longer than this page:', error);
    return memoryStore();
  });
  return opened;
}

/** Asks the browser not to throw away what waits when it needs room. */
export async function askToKeep(): Promise<void> {
  await navigator.storage?.persist?.().catch(() => false);
}

const nameOf = (userId: string, name: string) => `${userId}:${name}`;

/** @returns what was remembered, to be parsed; undefined where nothing was */
export async function recallOf(userId: string, name: string): Promise<unknown> {
  return (await outboxStore()).recall(nameOf(userId, name));
}

/** @throws OutboxFull when there is no room */
export async function rememberOf(userId: string, name: string, value: unknown): Promise<void> {
  await (await outboxStore()).remember(nameOf(userId, name), value);
}
