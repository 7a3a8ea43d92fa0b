// When the outbox is sent: on opening, on coming back to the page or the network, on a new entry, after a while; each kind
// for itself, by one tab at a time, and only ever as the person whose entries they are.
import { onReady } from '../supabase/client.ts';
import { announce } from './changes.ts';
import { isOrdered, knownKinds, sendOf } from './kinds.ts';
import { lane } from './retry-loop.ts';
import { sendWaiting } from './sender.ts';
import { learnServerOffset } from './server-clock.ts';
import { renew, whoIsIn } from './session-client.ts';
import { outboxStore } from './store.ts';

/** One tab at a time. Where the browser has no locks two may send the same; the server stores it once. */
function alone<T>(kind: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(`outbox:${kind}`, work) : work();
}

/** @returns whether nothing of this kind is left that a later try could send */
async function pass(kind: string): Promise<boolean> {
  const store = await outboxStore();
  const ports = { store, kind, isOrdered: isOrdered(kind), whoIsIn, renew, sendOf };
  const outcome = await alone(kind, () => sendWaiting({ ...ports, onChange: announce }));
  return outcome !== 'later';
}

/** A clock event does not wait until the photos of a report are through. */
const lanes = new Map<string, () => Promise<void>>();

function laneOf(kind: string): () => Promise<void> {
  const known = lanes.get(kind) ?? lane(() => pass(kind));
  lanes.set(kind, known);
  return known;
}

/** Sends what waits. Resolves when this device has tried everything; never throws. @param kind only these entries */
export async function sendNow(kind?: string): Promise<void> {
  // Beside the sending: on a line that hardly works it would only hold up what matters.
  void outboxStore().then(learnServerOffset).catch(console.warn);
  const kinds = kind === undefined ? knownKinds() : [kind];
  await Promise.all(kinds.map((each) => laneOf(each)()));
}

let isStarted = false;

/** Begins to send whenever there is an occasion, for as long as the page is open. Later calls do nothing. */
export function startSending(): void {
  if (isStarted) return;
  isStarted = true;
  const occasion = () => void sendNow();
  window.addEventListener('online', occasion);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') occasion();
  });
  onReady((client) => {
    client.auth.onAuthStateChange((event) => {
      // auth-js holds its lock while this runs.
      if (event !== 'SIGNED_OUT') setTimeout(occasion);
    });
    occasion();
  });
}
