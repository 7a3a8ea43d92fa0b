// The service worker of /kiosk: the page and its files open offline. A new version takes over when the page is next opened.
import { type PrecacheEntry, Serwist, StaleWhileRevalidate } from 'serwist';

declare const self: { readonly __SW_MANIFEST: (PrecacheEntry | string)[] };

const serwist = new Serwist({
  precacheEntries: self.__SW_MANIFEST,
  precacheOptions: { cleanupOutdatedCaches: true },
  skipWaiting: true,
  clientsClaim: true,
  runtimeCaching: [
    {
      matcher: ({ url, sameOrigin }) => sameOrigin && url.pathname === '/app-config.json',
      handler: new StaleWhileRevalidate({ cacheName: 'kiosk-connection' }),
    },
  ],
});
serwist.registerCapture(
  ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
  serwist.createHandlerBoundToUrl('/kiosk'),
);
serwist.addEventListeners();
