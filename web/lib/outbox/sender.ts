// Sends what waits for whoever is signed in, in order. Knows neither browser nor backend: both are passed in.
import { failureOf, type Verdict } from './answers.ts';
import type { OutboxEntry, OutboxFile } from './entry.ts';
import type { EntryStore } from './entry-store.ts';

export type Send<Connection> = (
  entry: OutboxEntry,
  using: {
    /** Speaks as the entry's owner, whoever signs in meanwhile. */
    connection: Connection;
    files: () => Promise<OutboxFile[]>;
  },
) => Promise<void>;

export type SenderPorts<Connection> = {
  store: EntryStore;
  /** Who is signed in, asked anew before each entry. */
  whoIsIn: () => Promise<{ userId: string; connection: Connection } | undefined>;
  /** @returns how entries of this kind are sent; undefined where this version of the app doesn't know them */
  sendOf: (kind: string) => Promise<Send<Connection> | undefined>;
  /** Called after each change of an entry. */
  onChange: (change: { id: string; outcome: 'sent' | Verdict }) => void;
};

/**
 * One pass. An entry that can't be sent holds back those of its kind, and without a network all of them.
 * @returns `done` when nothing waits, `later` when a try is due after a while, `signed-out` when a session is needed
 */
export async function sendWaiting<Connection>(
  ports: SenderPorts<Connection>,
): Promise<'done' | 'later' | 'signed-out'> {
  const { store, whoIsIn, sendOf, onChange } = ports;
  const heldBack = new Set<string>();
  const finished = new Set<string>();
  for (;;) {
    const who = await whoIsIn();
    if (!who) return 'signed-out';
    const next = (await store.listOf(who.userId)).find(
      (entry) => entry.state === 'waiting' && !heldBack.has(entry.kind) && !finished.has(entry.id),
    );
    if (!next) return heldBack.size > 0 ? 'later' : 'done';
    const send = await sendOf(next.kind);
    if (!send) {
      heldBack.add(next.kind);
      continue;
    }
    try {
      await send(next, { connection: who.connection, files: () => store.filesOf(next.id) });
      finished.add(next.id);
      await store.remove(next.id);
      onChange({ id: next.id, outcome: 'sent' });
    } catch (error) {
      const { verdict, message } = failureOf(error);
      await store.note(next.id, {
        state: verdict === 'refused' ? 'refused' : 'waiting',
        reason: message,
        attempts: next.attempts + 1,
      });
      onChange({ id: next.id, outcome: verdict });
      if (verdict === 'offline') return 'later';
      if (verdict === 'signed-out') return 'signed-out';
      if (verdict === 'busy') heldBack.add(next.kind);
    }
  }
}
