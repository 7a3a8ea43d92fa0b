// The service worker: opens the staff portal without a network. It answers for the app's own pages, its built files and
// the address of the backend, and leaves everything else to the network: the services, and the public site.
import {
  CacheFirst,
  ExpirationPlugin,
  type PrecacheEntry,
  Serwist,
  StaleWhileRevalidate,
} from 'serwist';
import { isAppPath } from '#shared/app-paths.ts';

declare const self: {
  /** What the staff portal needs, filled in by the build. */
  readonly __SW_MANIFEST: (PrecacheEntry | string)[];
  addEventListener(
    type: 'install',
    listener: (event: { waitUntil: (work: Promise<unknown>) => void }) => void,
  ): void;
};

/** What a client needs to connect. */
const CONNECTION = '/app-config.json';
const CONNECTION_CACHE = 'connection';

// The page that installs the worker has asked for it before the worker could see it.
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CONNECTION_CACHE).then((cache) => cache.add(CONNECTION)));
});

/** The address under which the build lists the app's page. */
const APP_PAGE = '/staff';

const serwist = new Serwist({
  precacheEntries: self.__SW_MANIFEST,
  precacheOptions: { cleanupOutdatedCaches: true },
  // A new version waits until its person says so, or until no page of the old one is open: never in the midst of a form.
  skipWaiting: false,
  clientsClaim: true,
  runtimeCaching: [
    {
      // Screens that are not precached, such as those of the admin portal, once they were opened. Their names are hashes.
      matcher: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
      handler: new CacheFirst({
        cacheName: 'opened-screens',
        plugins: [new ExpirationPlugin({ maxEntries: 150, purgeOnQuotaError: true })],
      }),
    },
    {
      // Shown at once as it was; what changed counts from the next start on.
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
