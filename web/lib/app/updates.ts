// Registers the service worker and offers new versions of the app. A new version never activates by itself, because a form may
// be open: only when the user accepts it, or when the app is next opened.
import { useSyncExternalStore } from 'react';

let waiting: ServiceWorker | null = null;
const listeners = new Set<() => void>();

function offer(worker: ServiceWorker | null): void {
  waiting = worker;
  for (const listener of listeners) listener();
}

function watch(registration: ServiceWorkerRegistration): void {
  // Without a controller this is the first installation, not an update.
  const offerIfNewer = () => navigator.serviceWorker.controller && offer(registration.waiting);
  offerIfNewer();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offerIfNewer);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    registration.update().catch(() => undefined); // Offline.
  });
}

/** Call it once. Registers after the page has loaded, so that the precache doesn't compete with the first screen. */
export function keepUpToDate(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = () =>
    navigator.serviceWorker
      .register('/sw.js')
      .then(watch)
      .catch((error: unknown) =>
        console.warn('The service worker could not be registered:', error),
      );
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}

/** Reloads this tab once the worker, a waiting one, is in charge: the old one finishes what it is doing first. */
export function activateAndReload(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  });
  worker.postMessage({ type: 'SKIP_WAITING' });
}

/** Reloads the page with the newest version. A plain reload would get the old page from the service worker. */
export async function reloadInNewVersion(): Promise<void> {
  const container = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
  const registration = container?.controller ? await container.getRegistration() : undefined;
  await registration?.update().catch(() => undefined); // Offline.
  const worker = registration?.waiting ?? registration?.installing;
  if (!worker) location.reload();
  else if (worker.state === 'installed') activateAndReload(worker);
  else {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed') activateAndReload(worker);
      else if (worker.state === 'redundant') location.reload();
    });
  }
}

/** @returns the worker of the new version, for `activateAndReload`; null while there is none */
export function useNewVersion(): ServiceWorker | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
}

/** Hides the offer until the app is next opened. */
export function dismissUpdate(): void {
  offer(null);
}
