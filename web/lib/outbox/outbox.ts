// Lists, retries and discards the user's entries.
import { deviceNow } from '../clock/server-now.ts';
import { announce } from './changes.ts';
import type { EntryStore, OutboxEntry, StoredFile } from './entry.ts';
import { sendNow } from './sending.ts';
import { serverOffset } from './server-clock.ts';
import { outboxStore } from './store.ts';

export async function listEntries(userId: string): Promise<OutboxEntry[]> {
  return (await outboxStore()).listOf(userId);
}

/** Sends a refused entry again, for example after a supervisor has fixed the cause. */
export async function retry(id: string): Promise<void> {
  const store = await outboxStore();
  for (const { name, state } of await store.filesOf(id)) {
    if (state === 'refused') await store.updateFile(id, name, WAITING);
  }
  await sendAgain(store, id);
}

/** Sends one refused file again; the others stay as they are. */
export async function retryFile(id: string, name: string): Promise<void> {
  const store = await outboxStore();
  await store.updateFile(id, name, WAITING);
  await sendAgain(store, id);
}

const WAITING = { state: 'waiting', reason: null } as const;

async function sendAgain(store: EntryStore, id: string): Promise<void> {
  await store.update(id, WAITING);
  announce({ id, outcome: 'changed' });
  await sendNow((await store.find(id))?.kind);
}

/** Deletes a refused entry. A waiting one is never deleted. */
export async function discard(id: string): Promise<void> {
  const store = await outboxStore();
  if ((await store.find(id))?.state !== 'refused') return;
  await store.remove(id);
  announce({ id, outcome: 'changed' });
}

/** Leaves out a refused file. The entry is removed if nothing else of it is left. */
export async function dropFile(id: string, name: string): Promise<void> {
  const store = await outboxStore();
  const isOpen = ({ state }: StoredFile) => state === 'waiting' || state === 'refused';
  if ((await store.filesOf(id)).find((file) => file.name === name)?.state !== 'refused') return;
  await store.updateFile(id, name, { state: 'dropped', reason: null });
  const isDone = (await store.find(id))?.isStored && !(await store.filesOf(id)).some(isOpen);
  if (isDone) await store.remove(id);
  announce({ id, outcome: isDone ? 'sent' : 'changed' });
}

/** The files of an entry with their state, without the dropped ones. */
export async function listFiles(id: string): Promise<StoredFile[]> {
  return (await (await outboxStore()).filesOf(id)).filter(({ state }) => state !== 'dropped');
}

export type DeviceTime = {
  /** Milliseconds since 1970, by the device's clock. */
  at: number;
  /** Milliseconds that the server's clock is ahead; null if never measured. */
  offsetMs: number | null;
};

export async function deviceTime(): Promise<DeviceTime> {
  return { at: deviceNow(), offsetMs: await serverOffset(await outboxStore()) };
}
