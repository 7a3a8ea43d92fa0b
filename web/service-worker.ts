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
import {
  pushedCheck,
  sendStoredAnswer,
  storeAnswer,
} from '#web/features/safety/lone-guard/pushed-check.ts';
import { STORED_ON_PHONE } from '#web/lib/outbox/entry.ts';

declare const self: {
  /** Files of the staff portal, filled in by the build. */
  readonly __SW_MANIFEST: (PrecacheEntry | string)[];
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
  readonly registration: ServiceWorkerRegistration & {
    showNotification(title: string, options: ShownOptions): Promise<void>;
    /** Background Sync, of Chromium alone. */
    readonly sync?: { register(tag: string): Promise<void> };
  };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
};

type InstallEvent = {
  waitUntil: (work: Promise<unknown>) => void;
  /** Chromium from 123: requests that match don't reach the worker. */
  addRoutes?: (routes: { condition: { urlPattern: object }; source: 'network' }[]) => Promise<void>;
};
type PushEvent = {
  data: { text(): string } | null;
  waitUntil: (work: Promise<unknown>) => void;
};
type ShownOptions = NotificationOptions & { actions?: { action: string; title: string }[] };
type SyncEvent = { tag: string; waitUntil: (work: Promise<unknown>) => void };
type NotificationEvent = {
  notification: Notification;
  /** The pressed button; empty for the message itself. */
  action: string;
  waitUntil: (work: Promise<unknown>) => void;
};
type WindowClient = {
  url: string;
  focus(): Promise<WindowClient>;
  navigate(url: string): Promise<unknown>;
};

const CONNECTION = '/app-config.json';
const CONNECTION_CACHE = 'connection';

/** Of each service, on this origin or another. */
const SERVICES = ['auth', 'functions', 'realtime', 'rest', 'storage'].map((service) => ({
  condition: {
    urlPattern: { protocol: '*', hostname: '*', port: '*', pathname: `/${service}/v1/*` },
  },
  source: 'network' as const,
}));

self.addEventListener('install', (event) => {
  // The installing page fetched it before the worker existed.
  event.waitUntil(caches.open(CONNECTION_CACHE).then((cache) => cache.add(CONNECTION)));
  // Else each of their requests starts the worker only to be sent on, also the old one that a new one is to replace.
  event.waitUntil(Promise.resolve(event.addRoutes?.(SERVICES)));
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

const ICON = '/icon-192.png';
/** The button of a welfare check. */
const FINE = 'fine';
/** Tags of Background Sync: this, and the id of the entry in the outbox. */
const SYNC = 'welfare:';

/** Sent by server/notices; texts of any other message are not shown. */
function readMessage(text: string) {
  const known = { title: 'New notice', body: '', link: '/staff/notices', tag: 'notice' };
  try {
    const sent: unknown = JSON.parse(text);
    if (typeof sent !== 'object' || sent === null) return { ...known, check: undefined };
    for (const [name, value] of Object.entries(sent)) {
      if (name in known && typeof value === 'string') Object.assign(known, { [name]: value });
    }
    return { ...known, check: 'answer' in sent ? pushedCheck(sent.answer) : undefined };
  } catch {
    // Browsers end the subscription of an app that shows nothing, so a notice without text is shown.
  }
  return { ...known, check: undefined };
}

self.addEventListener('push', (event) => {
  const { title, body, link, tag, check } = readMessage(event.data?.text() ?? '');
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      // A message that arrives twice replaces itself.
      tag,
      icon: ICON,
      data: { link, check },
      ...(check && { actions: [{ action: FINE, title: 'I am fine' }], requireInteraction: true }),
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

const connection = async () => (await caches.match(CONNECTION)) ?? fetch(CONNECTION);

/** Says on the phone what became of the answer. */
const thank = (tag: string, body: string) =>
  self.registration.showNotification('Thank you', { body, tag, icon: ICON, silent: true });

async function answer(sent: unknown, tag: string): Promise<void> {
  const check = pushedCheck(sent);
  if (!check) return openScreen('/staff');
  const id = await storeAnswer(check);
  const isSent = await sendStoredAnswer(id, connection()).catch(async (error: unknown) => {
    console.warn('The answer waits:', error);
    // Without Background Sync the page sends it when it is next opened.
    await self.registration.sync?.register(`${SYNC}${id}`).catch(console.warn);
    return false;
  });
  await thank(tag, isSent ? 'Your answer was sent.' : STORED_ON_PHONE);
}

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  const data: { link?: unknown; check?: unknown } = Object(notification.data);
  notification.close();
  event.waitUntil(action === FINE ? answer(data.check, notification.tag) : openScreen(data.link));
});

self.addEventListener('sync', (event) => {
  if (!event.tag.startsWith(SYNC)) return;
  event.waitUntil(sendStoredAnswer(event.tag.slice(SYNC.length), connection()));
});
