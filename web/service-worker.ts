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
