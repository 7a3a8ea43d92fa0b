import { deviceNow } from '../clock/server-now.ts';
import { backend } from '../supabase/client.ts';
import { toNotSent } from './answers.ts';
import { announce, onChange } from './changes.ts';
import {
  type EntryStore,
  MAX_WAIT_MS,
  type NewEntry,
  type OutboxFile,
  OutboxFull,
  STORED_ON_PHONE,
  waitingEntry,
  waitingFile,
} from './entry.ts';
import { loadSender } from './kinds.ts';
import { discard } from './outbox.ts';
import { requestPersistence } from './persistence.ts';
import { sendNow } from './sending.ts';
import { serverOffset } from './server-clock.ts';
import { outboxStore } from './store.ts';

export type SubmitOutcome =
  | { state: 'sent' }
  /** `isVolatile`: it waits only while this page is open. */
  | { state: 'waiting'; isVolatile: boolean }
  /** `isStored`: the server has the record, and refused files of it. */
  | { state: 'refused'; reason: string; isStored: boolean };

const WAITING_VOLATILE =
  'Waiting to send. This browser stores nothing, so keep this page open until it is sent.';

/** @returns text for a toast; undefined unless the entry waits */
export function waitingText(outcome: SubmitOutcome | undefined): string | undefined {
  if (outcome?.state !== 'waiting') return undefined;
  return outcome.isVolatile ? WAITING_VOLATILE : STORED_ON_PHONE;
}

async function outcomeOf(store: EntryStore, id: string): Promise<SubmitOutcome> {
  const entry = await store.find(id);
  if (!entry) return { state: 'sent' };
  const { reason, isStored = false } = entry;
  return entry.state === 'refused'
    ? { state: 'refused', reason: reason ?? '', isStored }
    : { state: 'waiting', isVolatile: store.isVolatile };
}

/** Without space to store it, the entry is sent immediately or not at all, and never ahead of waiting entries. */
async function sendUnstored(
  entry: NewEntry,
  files: readonly OutboxFile[],
  full: OutboxFull,
): Promise<SubmitOutcome> {
  await sendNow(entry.kind);
  const store = await outboxStore();
  const queued = await store.listOf(entry.userId);
  const send = await loadSender(entry.kind);
  const { data } = await (await backend.open()).auth.getSession();
  const isBlocked = queued.some(({ kind, state }) => kind === entry.kind && state === 'waiting');
  if (isBlocked || !send || data.session?.user.id !== entry.userId) throw full;
  const complete = { ...waitingEntry(entry, deviceNow(), await serverOffset(store)), sequence: 0 };
  try {
    await send(complete, {
      connection: await backend.clientFor(data.session.access_token),
      files: async () => files.map(waitingFile),
      // There is no stored entry to update.
      updateFile: async () => {},
      markStored: async () => {},
    });
    announce({ id: entry.id, outcome: 'sent', sent: entry });
    return { state: 'sent' };
  } catch (error) {
    const { verdict, message } = toNotSent(error);
    announce({ id: entry.id, outcome: verdict });
    if (verdict !== 'refused') throw full;
    return { state: 'refused', reason: message, isStored: false };
  }
}

/**
 * Stores the entry on this device, sends it if possible, and returns its outcome within 8 seconds. A refused entry stays in
 * the outbox until it is sent again or discarded.
 * @throws OutboxFull when there is no space to store it and it can't be sent now
 */
export async function submit(
  entry: NewEntry,
  files: readonly OutboxFile[] = [],
): Promise<SubmitOutcome> {
  const store = await outboxStore();
  void requestPersistence().catch(console.warn);
  try {
    await store.add(waitingEntry(entry, deviceNow(), await serverOffset(store)), files);
  } catch (error) {
    if (!(error instanceof OutboxFull)) throw error;
    return sendUnstored(entry, files, error);
  }
  announce({ id: entry.id, outcome: 'added' });
  const isTried = new Promise<void>((resolve) => {
    const stop = onChange((change) => {
      if (change.id !== entry.id || change.outcome === 'changed') return;
      stop();
      resolve();
    });
    setTimeout(resolve, MAX_WAIT_MS);
  });
  const isSettled = sendNow(entry.kind);
  if (navigator.onLine) await Promise.race([isTried, isSettled]);
  return outcomeOf(store, entry.id);
}

/**
 * `submit` for a form, which keeps its contents when the server refuses them: the refused entry is discarded.
 * @returns `refused` only for files of a stored record
 * @throws the reason of the refusal; OutboxFull as above
 */
export async function submitForm(
  entry: NewEntry,
  files: readonly OutboxFile[] = [],
): Promise<SubmitOutcome> {
  const outcome = await submit(entry, files);
  if (outcome.state === 'refused' && !outcome.isStored) {
    await discard(entry.id);
    throw new Error(outcome.reason);
  }
  return outcome;
}
