// The service worker: lets the staff portal open offline. It handles the app's pages, its built files and the connection
// settings; requests to the services and the public site go to the network.
import {
  CacheFirst,
  ExpirationPlugin,
  type PrecacheEntry,
  Serwist,
  StaleWhileRevalidate,
} from 'serwist';
import { isAppPath } from '#shared/app-paths.ts';

declare const self: {
  /** Files of the staff portal, filled in by the build. */
  readonly __SW_MANIFEST: (PrecacheEntry | string)[];
  addEventListener(
    type: 'install',
    listener: (event: { waitUntil: (work: Promise<unknown>) => void }) => void,
  ): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

type PushEvent = {
  data: { text(): string } | null;
  waitUntil: (work: Promise<unknown>) => void;
};
type NotificationEvent = {
  notification: Notification;
  waitUntil: (work: Promise<unknown>) => void;
};
type WindowClient = {
  url: string;
  focus(): Promise<WindowClient>;
  navigate(url: string): Promise<unknown>;
};

const CONNECTION = '/app-config.json';
const CONNECTION_CACHE = 'connection';

// The installing page fetched it before the worker existed.
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CONNECTION_CACHE).then((cache) => cache.add(CONNECTION)));
});

/** URL of the app's page in the precache. */
const APP_PAGE = '/staff';

const serwist = new Serwist({
  precacheEntries: self.__SW_MANIFEST,
  precacheOptions: { cleanupOutdatedCaches: true },
  // A new version waits until the user accepts it or no page of the old one is open, because a form may be open.
  skipWaiting: false,
  clientsClaim: true,
  runtimeCaching: [
    {
      // Screens that are not precached, such as the admin portal's, after their first use. File names contain hashes.
      matcher: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
      handler: new CacheFirst({
        cacheName: 'opened-screens',
        plugins: [new ExpirationPlugin({ maxEntries: 150, purgeOnQuotaError: true })],
      }),
    },
    {
      // Changes take effect at the next start.
      matcher: ({ url, sameOrigin }) => sameOrigin && url.pathname === CONNECTION,
      handler: new StaleWhileRevalidate({ cacheName: CONNECTION_CACHE }),
    },
  ],
});

serwist.registerCapture(
  ({ request, url, sameOrigin }) =>
    sameOrigin && request.mode === 'navigate' && isAppPath(url.pathname),
  serwist.createHandlerBoundToUrl(APP_PAGE),
);
serwist.addEventListeners();

/** What server/notices sends; texts of any other message are not shown. */
function readMessage(text: string): { title: string; body: string; link: string; tag: string } {
  const known = { title: 'New notice', body: '', link: '/staff/notices', tag: 'notice' };
  try {
    const sent: unknown = JSON.parse(text);
    if (typeof sent !== 'object' || sent === null) return known;
    for (const [name, value] of Object.entries(sent)) {
      if (name in known && typeof value === 'string') Object.assign(known, { [name]: value });
    }
  } catch {
    // Browsers end the subscription of an app that shows nothing, so a notice without text is shown.
  }
  return known;
}

self.addEventListener('push', (event) => {
  const { title, body, link, tag } = readMessage(event.data?.text() ?? '');
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      // A message that arrives twice replaces itself.
      tag,
      icon: '/icon-192.png',
      data: link,
    }),
  );
});

/** Opens the screen of a notice, in a window of the app if there is one. */
async function openScreen(link: unknown): Promise<void> {
  const url = new URL(typeof link === 'string' ? link : '/staff/notices', location.origin);
  if (url.origin !== location.origin) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find((window) => isAppPath(new URL(window.url).pathname));
  if (!open) {
    await self.clients.openWindow(url.href);
    return;
  }
  await open.focus();
  await open.navigate(url.href);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openScreen(event.notification.data));
});
