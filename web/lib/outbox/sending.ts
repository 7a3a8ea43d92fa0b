// When the outbox is sent: on opening, on coming back to the page or the network, on a new entry, after a while; by one
// tab at a time, and only ever as the person whose entries they are.
import { type Client, clientWith, supabase } from '../supabase.ts';
import { announce } from './changes.ts';
import { sendOf } from './kinds.ts';
import { retryDelay } from './retry-delay.ts';
import { sendWaiting } from './sender.ts';
import { learnServerOffset } from './server-clock.ts';
import { outboxStore } from './store.ts';

let connection: { token: string; client: Client } | undefined;

/** The signed-in user, with a client that goes on speaking as that user when somebody else signs in. */
async function whoIsIn() {
  const { data } = await supabase().auth.getSession();
  if (!data.session) return undefined;
  const { access_token: token, user } = data.session;
  if (connection?.token !== token) connection = { token, client: clientWith(token) };
  return { userId: user.id, connection: connection.client };
}

/** One tab at a time. Where the browser has no locks two may send the same; the server stores it once. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('outbox', work) : work();
}

let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
let isAskedAgain = false;

/** @returns whether nothing is left that a later try could send */
async function pass(): Promise<boolean> {
  const store = await outboxStore();
  // Beside the sending: on a line that hardly works it would only hold up what matters.
  void learnServerOffset(store).catch(console.warn);
  const outcome = await alone(() => sendWaiting({ store, whoIsIn, sendOf, onChange: announce }));
  return outcome !== 'later';
}

async function passes(): Promise<void> {
  do {
    isAskedAgain = false;
    clearTimeout(timer);
    const isDone = await pass().catch((error: unknown) => {
      // The browser's storage, or a part of the app that a bad line did not bring.
      console.error('The outbox could not be sent:', error);
      return false;
    });
    failures = isDone ? 0 : failures + 1;
    if (!isDone) timer = setTimeout(sendNow, retryDelay(failures, Math.random()));
  } while (isAskedAgain);
  // In the same breath as the question above: an entry added now begins a pass of its own.
  running = undefined;
}

/** Sends what waits. Resolves when this device has tried everything; never throws. */
export function sendNow(): Promise<void> {
  if (running) isAskedAgain = true;
  running ??= passes();
  return running;
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
  supabase().auth.onAuthStateChange((event) => {
    // auth-js holds its lock while this runs.
    if (event !== 'SIGNED_OUT') setTimeout(occasion);
  });
  occasion();
}
