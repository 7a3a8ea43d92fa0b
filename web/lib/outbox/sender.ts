// Sends what waits for whoever is signed in, in order. Knows neither browser nor backend: both are passed in.
import { failureOf, OFFLINE_AFTER, type Verdict } from './answers.ts';
import type { EntryStore, FileOutcome, KeptFile, OutboxEntry } from './entry.ts';

type Using<Connection> = {
  /** Speaks as the entry's owner, whoever signs in meanwhile. */
  connection: Connection;
  files: () => Promise<KeptFile[]>;
  /** Keeps what became of one file, so that it is not sent again. */
  noteFile: (name: string, outcome: FileOutcome) => Promise<void>;
  /** Keeps that the server has the record itself, and only files are left. */
  noteStored: () => Promise<void>;
};

export type Send<Connection> = (entry: OutboxEntry, using: Using<Connection>) => Promise<void>;

export type SenderPorts<Connection> = {
  store: EntryStore;
  /** Which entries this is about. */
  kind: string;
  /** Whether each must have arrived before the next is sent. */
  isOrdered: boolean;
  /** Who is signed in, asked anew before each entry. @throws NotSent when that can't be told for now */
  whoIsIn: () => Promise<{ userId: string; connection: Connection } | undefined>;
  /** Asks for another token of the same person. @returns whether there is one @throws when that can't be told for now */
  renew: () => Promise<boolean>;
  /** @returns how entries of this kind are sent; undefined where this version of the app doesn't know them */
  sendOf: (kind: string) => Promise<Send<Connection> | undefined>;
  /** Called after each change of an entry. */
  onChange: (change: { id: string; outcome: 'sent' | 'changed' | Verdict }) => void;
};

/**
 * One pass over the entries of one kind. Where order matters, one that can't be sent holds back those behind it; elsewhere
 * only itself.
 * @returns `done` when nothing waits, `later` when a try is due after a while, `signed-out` when a session is needed
 */
export async function sendWaiting<Connection>(
  ports: SenderPorts<Connection>,
): Promise<'done' | 'later' | 'signed-out'> {
  const { store, kind, isOrdered, whoIsIn, renew, sendOf, onChange } = ports;
  const tried = new Set<string>();
  let unanswered = 0;
  let isLeft = false;
  let isRenewed = false;

  const usingOf = (id: string, connection: Connection): Using<Connection> => ({
    connection,
    files: () => store.filesOf(id),
    noteFile: async (name, outcome) => {
      await store.noteFile(id, name, outcome);
      onChange({ id, outcome: 'changed' });
    },
    noteStored: () => store.note(id, { isStored: true }),
  });

  for (;;) {
    let who: Awaited<ReturnType<typeof whoIsIn>>;
    try {
      who = await whoIsIn();
    } catch (error) {
      console.warn('The session can’t be told for now:', failureOf(error).message);
      return 'later';
    }
    if (!who) return 'signed-out';
    const next = (await store.listOf(who.userId)).find(
      (entry) => entry.kind === kind && entry.state === 'waiting' && !tried.has(entry.id),
    );
    if (!next) return isLeft ? 'later' : 'done';
    const send = await sendOf(kind);
    if (!send) return 'later';
    const { id } = next;
    try {
      await send(next, usingOf(id, who.connection));
      tried.add(id);
      await store.remove(id);
      onChange({ id, outcome: 'sent' });
      unanswered = 0;
    } catch (error) {
      const { verdict, message } = failureOf(error);
      if (verdict === 'signed-out' && !isRenewed) {
        isRenewed = true;
        const isNew = await renew().catch(() => undefined);
        if (isNew) continue;
        if (isNew === undefined) return 'later';
      }
      tried.add(id);
      const state = verdict === 'refused' ? 'refused' : 'waiting';
      await store
        .note(id, { state, reason: message, attempts: next.attempts + 1 })
        // A full device can't even keep the reason; those behind are sent all the same.
        .catch(console.warn);
      onChange({ id, outcome: verdict });
      if (verdict === 'signed-out') return 'signed-out';
      if (verdict === 'refused') continue;
      isLeft = true;
      unanswered = verdict === 'offline' ? unanswered + 1 : 0;
      if (isOrdered || unanswered >= OFFLINE_AFTER) return 'later';
    }
  }
}
