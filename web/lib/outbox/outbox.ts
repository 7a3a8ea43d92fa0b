// What a person may do with their own entries: look, send again, throw away a refused one.
import { announce } from './changes.ts';
import type { EntryStore, KeptFile, OutboxEntry } from './entry.ts';
import { sendNow } from './sending.ts';
import { serverOffset } from './server-clock.ts';
import { outboxStore } from './store.ts';

export async function entriesOf(userId: string): Promise<OutboxEntry[]> {
  return (await outboxStore()).listOf(userId);
}

/** @returns how many of this person's entries the server has not answered yet */
export async function waitingOf(userId: string): Promise<number> {
  return (await entriesOf(userId)).filter(({ state }) => state === 'waiting').length;
}

/** Sends a refused entry again, for example after a supervisor has put right what was in its way. */
export async function retry(id: string): Promise<void> {
  const store = await outboxStore();
  for (const { name, state } of await store.filesOf(id)) {
    if (state === 'refused') await store.noteFile(id, name, AGAIN);
  }
  await sendAgain(store, id);
}

/** Sends one refused file again; the others stay as they are. */
export async function retryFile(id: string, name: string): Promise<void> {
  const store = await outboxStore();
  await store.noteFile(id, name, AGAIN);
  await sendAgain(store, id);
}

const AGAIN = { state: 'waiting', reason: null } as const;

async function sendAgain(store: EntryStore, id: string): Promise<void> {
  await store.note(id, AGAIN);
  announce({ id, outcome: 'changed' });
  await sendNow((await store.find(id))?.kind);
}

/** Throws away a refused entry. One that waits is never thrown away. */
export async function discard(id: string): Promise<void> {
  const store = await outboxStore();
  if ((await store.find(id))?.state !== 'refused') return;
  await store.remove(id);
  announce({ id, outcome: 'changed' });
}

/** Goes without one refused file. With nothing else left the entry is done. */
export async function dropFile(id: string, name: string): Promise<void> {
  const store = await outboxStore();
  const isOpen = ({ state }: KeptFile) => state === 'waiting' || state === 'refused';
  if ((await store.filesOf(id)).find((file) => file.name === name)?.state !== 'refused') return;
  await store.noteFile(id, name, { state: 'dropped', reason: null });
  const isDone = (await store.find(id))?.isStored && !(await store.filesOf(id)).some(isOpen);
  if (isDone) await store.remove(id);
  announce({ id, outcome: isDone ? 'sent' : 'changed' });
}

/** The files of an entry with what has become of each; those that its owner goes without are left out. */
export async function filesOf(id: string): Promise<KeptFile[]> {
  return (await (await outboxStore()).filesOf(id)).filter(({ state }) => state !== 'dropped');
}

export type DeviceTime = {
  /** Milliseconds since 1970 by the clock of the device. */
  at: number;
  /** Milliseconds that the server's clock was ahead when they last met; null where never. */
  offsetMs: number | null;
};

export async function deviceTime(): Promise<DeviceTime> {
  return { at: Date.now(), offsetMs: await serverOffset(await outboxStore()) };
}
