// Whether the app can be put on this device's home screen, and how.
import { useSyncExternalStore } from 'react';

/** Not in TypeScript's DOM types: only Chromium has it. */
type InstallEvent = Event & { prompt: () => Promise<unknown> };

const DISMISSED = 'install-dismissed';

export type Installable = { how: 'button'; install: () => Promise<void> } | { how: 'share-menu' };

let offered: InstallEvent | undefined;
let current: Installable | undefined;
const listeners = new Set<() => void>();

function change(next: Installable | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

function isInstallEvent(event: Event): event is InstallEvent {
  return typeof Reflect.get(event, 'prompt') === 'function';
}

async function install(): Promise<void> {
  await offered?.prompt();
  // A browser lets it be asked once for each event.
  change(undefined);
}

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return false;
  }
}

/** Safari on an iPhone or iPad: there only the person can do it, by the share menu. */
function isSafariInTab(): boolean {
  return 'standalone' in navigator && navigator.standalone === false;
}

/** To be called before anything is drawn: the browser tells it once, early. */
export function listenForInstall(): void {
  if (wasDismissed()) return;
  if (isSafariInTab()) change({ how: 'share-menu' });
  addEventListener('beforeinstallprompt', (event) => {
    // Its own bar would come at a moment of its choosing.
    event.preventDefault();
    if (!isInstallEvent(event)) return;
    offered = event;
    change({ how: 'button', install });
  });
  addEventListener('appinstalled', () => change(undefined));
}

/** Never offers it again on this device. */
export function dismissInstall(): void {
  try {
    localStorage.setItem(DISMISSED, new Date().toISOString());
  } catch {
    // Storage is blocked: it is offered again at the next start.
  }
  change(undefined);
}

/** @returns undefined where it is installed, can't be, or was declined */
export function useInstallable(): Installable | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
