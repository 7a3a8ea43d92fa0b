// What is said of something that the outbox keeps for now.
// Puts something into the outbox and waits a moment for what becomes of it.
// Submits what a form holds. The form stays open with all that was typed when the server refuses it.
import { clientWith, whenReady } from '../supabase/client.ts';
import { failureOf } from './answers.ts';
import { announce, onChange } from './changes.ts';
import {
  type EntryStore,
  firstFileState,
  firstState,
  type NewEntry,
  type OutboxFile,
  OutboxFull,
} from './entry.ts';
import { sendOf } from './kinds.ts';
import { discard } from './outbox.ts';
import { sendNow } from './sending.ts';
import { serverOffset } from './server-clock.ts';
import { askToKeep, outboxStore } from './store.ts';

const KEPT = 'Waiting to send. It is kept on this phone and sent as soon as there is a signal.';
const FLEETING =
  'Waiting to send. This browser keeps nothing: leave this page open until it is sent.';

/** @returns undefined for what does not wait */
export function waitsWords(outcome: Submitted | undefined): string | undefined {
  if (outcome?.state !== 'waiting') return undefined;
  return outcome.isFleeting ? FLEETING : KEPT;
}

export type Submitted =
  | { state: 'sent' }
  /** It stays in the list of refused ones unless discarded. `isStored`: it is about files only. */
  | { state: 'refused'; reason: string; isStored: boolean }
  /** `isFleeting`: this browser keeps nothing, so it waits only while the page is open. */
  | { state: 'waiting'; isFleeting: boolean };

/** How long somebody looks at a working button before being told that it waits. */
const PATIENCE_MS = 8_000;

async function outcomeOf(store: EntryStore, id: string): Promise<Submitted> {
  const entry = await store.find(id);
  if (!entry) return { state: 'sent' };
  const { reason, isStored = false } = entry;
  return entry.state === 'refused'
    ? { state: 'refused', reason: reason ?? '', isStored }
    : { state: 'waiting', isFleeting: store.isFleeting };
}

/** There is no room to keep it: it is sent at once or not at all, and never before what waits already. */
async function sendUnkept(entry: NewEntry, files: readonly OutboxFile[], full: OutboxFull) {
  await sendNow(entry.kind);
  const store = await outboxStore();
  const before = await store.listOf(entry.userId);
  const send = await sendOf(entry.kind);
  const { data } = await (await whenReady()).auth.getSession();
  const isHeldBack = before.some(({ kind, state }) => kind === entry.kind && state === 'waiting');
  if (isHeldBack || !send || data.session?.user.id !== entry.userId) throw full;
  const whole = { ...firstState(entry, Date.now(), await serverOffset(store)), sequence: 0 };
  try {
    await send(whole, {
      connection: clientWith(data.session.access_token),
      files: async () => files.map(firstFileState),
      // There is nowhere to note it.
      noteFile: async () => {},
      noteStored: async () => {},
    });
  } catch (error) {
    const failure = failureOf(error);
    throw failure.verdict === 'refused' ? failure : full;
  }
}

/**
 * Keeps the entry on this device, sends it when it can be sent, and says within 8 seconds what has become of it.
 * @throws OutboxFull when there is no room to keep it and it can't be sent at once either
 */
export async function submit(
  entry: NewEntry,
  files: readonly OutboxFile[] = [],
): Promise<Submitted> {
  const store = await outboxStore();
  void askToKeep();
  try {
    await store.add(firstState(entry, Date.now(), await serverOffset(store)), files);
  } catch (error) {
    if (!(error instanceof OutboxFull)) throw error;
    await sendUnkept(entry, files, error);
    return { state: 'sent' };
  }
  announce({ id: entry.id, outcome: 'added' });
  const isTried = new Promise<void>((resolve) => {
    const stop = onChange((change) => {
      if (change.id !== entry.id || change.outcome === 'changed') return;
      stop();
      resolve();
    });
    setTimeout(resolve, PATIENCE_MS);
  });
  const isSettled = sendNow(entry.kind);
  if (navigator.onLine) await Promise.race([isTried, isSettled]);
  return outcomeOf(store, entry.id);
}

/**
 * @returns `refused` only for a refusal of a part: it stays in the list of what waits
 * @throws the reason of a refusal; OutboxFull when there is neither room nor network
 */
export async function submitForm(
  entry: NewEntry,
  files: readonly OutboxFile[] = [],
): Promise<Submitted> {
  const outcome = await submit(entry, files);
  if (outcome.state === 'refused' && !outcome.isStored) {
    // The form still holds everything.
    await discard(entry.id);
    throw new Error(outcome.reason);
  }
  return outcome;
}
