// What a person may do with their own entries: look, send again, throw away a refused one.
import { announce } from './changes.ts';
import type { OutboxEntry } from './entry.ts';
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
  await (await outboxStore()).note(id, { state: 'waiting', reason: null });
  announce({ id, outcome: 'changed' });
  await sendNow();
}

/** Throws away a refused entry. One that waits is never thrown away. */
export async function discard(id: string): Promise<void> {
  const store = await outboxStore();
  if ((await store.find(id))?.state !== 'refused') return;
  await store.remove(id);
  announce({ id, outcome: 'changed' });
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
