// Whether the browser may delete what this device stores, and asking it not to.
import { useEffect, useState } from 'react';
import { isAppleTab } from '../app/install.ts';
import { outboxStore } from './store.ts';

/**
 * What can delete unsent entries, other than the user:
 * - `closing`: they are in memory only
 * - `absence`: WebKit deletes a site's data after seven days of use without a visit, unless the app is installed
 *   (https://webkit.org/blog/10218/full-third-party-cookie-blocking-and-more/)
 * - `space`: the browser may delete it when the device has no space left
 */
export type StorageRisk = 'closing' | 'absence' | 'space' | 'none';

/** @param isPersisted answer of `navigator.storage.persisted()`, false where there is none */
export function storageRisk(
  isVolatile: boolean,
  isTabOfApple: boolean,
  isPersisted: boolean,
): StorageRisk {
  if (isVolatile) return 'closing';
  // Persistent storage is safe from eviction for space, not from this.
  if (isTabOfApple) return 'absence';
  return isPersisted ? 'none' : 'space';
}

/** Absent on insecure origins. */
const manager = (): Partial<StorageManager> => navigator.storage ?? {};

const isPersisted = async () => (await manager().persisted?.()) ?? false;

let asked: Promise<boolean> | undefined;

/**
 * Asks the browser to keep what this device stores. Call it on a press that stores work, never when a page loads: Firefox
 * shows the question to the user. Asks once per page, because Chromium answers by how much the app is used, and later says yes.
 */
export async function requestPersistence(): Promise<void> {
  if (await isPersisted()) return;
  asked ??= manager().persist?.() ?? Promise.resolve(false);
  await asked;
}

async function readRisk(): Promise<StorageRisk> {
  const { isVolatile } = await outboxStore();
  // The user may still be reading the browser's question.
  await asked?.catch(console.warn);
  return storageRisk(isVolatile, isAppleTab(), await isPersisted().catch(() => false));
}

/** @returns undefined until it is known */
export function useStorageRisk(): StorageRisk | undefined {
  const [risk, setRisk] = useState<StorageRisk>();
  useEffect(() => {
    void readRisk().then(setRisk, console.warn);
  }, []);
  return risk;
}
