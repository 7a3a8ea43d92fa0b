// The one store of this page.
import type { EntryStore } from './entry-store.ts';
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
