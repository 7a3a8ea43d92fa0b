// Registers the service worker, and knows when a newer version of the app waits to be used. It never starts by itself:
// a form may be open. It does when the person says so, or when the app is next opened.
import { useSyncExternalStore } from 'react';

let waiting: ServiceWorker | null = null;
const listeners = new Set<() => void>();

function offer(worker: ServiceWorker | null): void {
  waiting = worker;
  for (const listener of listeners) listener();
}

function watch(registration: ServiceWorkerRegistration): void {
  // The first installation replaces nothing.
  const offerIfNewer = () => navigator.serviceWorker.controller && offer(registration.waiting);
  offerIfNewer();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offerIfNewer);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    registration.update().catch(() => undefined); // Without a network there is nothing newer to be had.
  });
}

/** To be called once. Waits until the page has loaded: what it needs first comes first. */
export function keepUpToDate(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = () =>
    navigator.serviceWorker
      .register('/sw.js')
      .then(watch)
      .catch((error: unknown) => console.warn('The app will need a network to open:', error));
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}

function startAndReload(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  });
  worker.postMessage({ type: 'SKIP_WAITING' });
}

/**
 * Reloads the page in the newest version that the server has. Reloaded alone, the page would come from the service worker,
 * as old as before.
 */
export async function reloadInNewVersion(): Promise<void> {
  const container = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
  const registration = container?.controller ? await container.getRegistration() : undefined;
  await registration?.update().catch(() => undefined); // Without a network there is nothing newer to be had.
  const worker = registration?.waiting ?? registration?.installing;
  if (!worker) location.reload();
  else if (worker.state === 'installed') startAndReload(worker);
  else {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed') startAndReload(worker);
      else if (worker.state === 'redundant') location.reload();
    });
  }
}

/** Starts the newer version in this tab. Other tabs go on with what is open in them. */
export function useNewVersion(): (() => void) | undefined {
  const worker = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
  if (!worker) return undefined;
  return () => startAndReload(worker);
}

/** Puts the question away until the app is next opened. */
export function notNow(): void {
  offer(null);
}
