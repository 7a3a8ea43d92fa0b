// When the outbox sends: when the app opens, becomes visible or comes online, on a new entry, and after a delay. Each kind has
// its own queue, and one tab at a time sends it.

import { sessionOnDevice } from '../session/device-session.ts';
import { backend, type Client } from '../supabase/client.ts';
import { announce } from './changes.ts';
import { endFinished, findLeftQueues, keepDelivery } from './delivery.ts';
import { isOrdered, knownKinds, loadSender } from './kinds.ts';
import { retryLoop } from './retry-loop.ts';
import { type SenderPorts, sendWaiting } from './sender.ts';
import { learnServerOffset } from './server-clock.ts';
import { currentUser, refreshToken } from './session-client.ts';
import { outboxStore } from './store.ts';

/** Without the Web Locks API two tabs may send the same entry; the server stores it once. */
function withLock<T>(kind: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(`outbox:${kind}`, work) : work();
}

type LeftPorts = Omit<SenderPorts<Client>, 'currentUser' | 'refreshToken'>;

/** Sends what users who have signed out left on this device. @returns whether nothing of this kind is left to retry */
async function sendLeft(ports: LeftPorts): Promise<boolean> {
  if ((await ports.store.listOwners()).length === 0) return true;
  // Without a session that can be read now, nobody is signed in.
  const signedIn =
    (await currentUser().catch(() => undefined))?.userId ?? sessionOnDevice()?.user.id;
  const left = await findLeftQueues(ports.kind, signedIn);
  let isSent = true;
  for (const user of left) {
    const result = await withLock(ports.kind, () =>
      sendWaiting({
        ...ports,
        isLeft: true,
        currentUser: async () => user,
        refreshToken: async () => false,
      }),
    );
    if (result === 'later') isSent = false;
  }
  await endFinished(
    left.map(({ userId }) => userId),
    signedIn,
  );
  return isSent;
}

/** @returns whether nothing of this kind is left to retry */
async function sendKind(kind: string): Promise<boolean> {
  const store = await outboxStore();
  const ports = { store, kind, isOrdered: isOrdered(kind), loadSender, onChange: announce };
  const own = { ...ports, currentUser, refreshToken };
  const result = await withLock(kind, () => sendWaiting(own));
  const isLeftSent = await sendLeft(ports);
  return result !== 'later' && isLeftSent;
}

/** One queue per kind, so that a clock event doesn't wait for the photos of a report. */
const queues = new Map<string, () => Promise<void>>();

function queueOf(kind: string): () => Promise<void> {
  const queue = queues.get(kind) ?? retryLoop(() => sendKind(kind));
  queues.set(kind, queue);
  return queue;
}

/** Sends waiting entries. Resolves when all were tried; never rejects. @param kind only entries of this kind */
export async function sendNow(kind?: string): Promise<void> {
  // In parallel, because on a bad connection it would delay the entries.
  void outboxStore().then(learnServerOffset).catch(console.warn);
  const kinds = kind === undefined ? knownKinds() : [kind];
  await Promise.all(kinds.map((each) => queueOf(each)()));
}

let isStarted = false;

/** Starts sending on every occasion while the page is open. Later calls do nothing. */
export function startSending(): void {
  if (isStarted) return;
  isStarted = true;
  const send = () => {
    void sendNow();
    void keepDelivery();
  };
  window.addEventListener('online', send);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') send();
  });
  backend.onOpen((client) => {
    client.auth.onAuthStateChange(() => {
      // Deferred: auth-js holds its lock during this callback.
      setTimeout(send);
    });
    send();
  });
}
