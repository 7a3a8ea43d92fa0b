// Installing the app on the home screen.
import { useSyncExternalStore } from 'react';

/** BeforeInstallPromptEvent, which only Chromium has and the DOM types lack. */
type InstallEvent = Event & { prompt: () => Promise<unknown> };

const DISMISSED = 'install-dismissed';

export type Installable = { how: 'button'; install: () => Promise<void> } | { how: 'share-menu' };

let promptEvent: InstallEvent | undefined;
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
  await promptEvent?.prompt();
  // prompt() works once per event.
  change(undefined);
}

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return false;
  }
}

/** A browser on iPhone or iPad, where users install from the share menu: only they have `navigator.standalone`. */
export function isAppleTab(): boolean {
  return 'standalone' in navigator && navigator.standalone === false;
}

/** Call it before the first render: the browser fires the event once, early. */
export function listenForInstall(): void {
  if (wasDismissed()) return;
  if (isAppleTab()) change({ how: 'share-menu' });
  addEventListener('beforeinstallprompt', (event) => {
    // Suppresses the browser's own banner.
    event.preventDefault();
    if (!isInstallEvent(event)) return;
    promptEvent = event;
    change({ how: 'button', install });
  });
  addEventListener('appinstalled', () => change(undefined));
}

/** Never offers it again in this browser. */
export function dismissInstall(): void {
  try {
    localStorage.setItem(DISMISSED, new Date().toISOString());
  } catch {
    // Storage is blocked, so it is offered again at the next start.
  }
  change(undefined);
}

/** @returns undefined if the app is installed, can't be, or the user declined */
export function useInstallable(): Installable | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
