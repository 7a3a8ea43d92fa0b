// Sends the waiting entries of the signed-in user, in order. Browser and backend are passed in.
import { OFFLINE_AFTER, toNotSent } from './answers.ts';
import type { Change } from './changes.ts';
import type { EntryStore, FileOutcome, OutboxEntry, StoredFile } from './entry.ts';

type SendContext<Connection> = {
  /** Acts for the entry's owner, even if another user has signed in since. */
  connection: Connection;
  files: () => Promise<StoredFile[]>;
  /** Stores the outcome of one file, so that it is not sent again. */
  updateFile: (name: string, outcome: FileOutcome) => Promise<void>;
  /** Stores that the server has the record, and only files remain. */
  markStored: () => Promise<void>;
};

export type Send<Connection> = (
  entry: OutboxEntry,
  context: SendContext<Connection>,
) => Promise<void>;

export type SenderPorts<Connection> = {
  store: EntryStore;
  kind: string;
  /** Whether an entry must arrive before the next one is sent. */
  isOrdered: boolean;
  /** Called before each entry. @throws NotSent when the session can't be read now */
  currentUser: () => Promise<{ userId: string; connection: Connection } | undefined>;
  /** @returns whether the user has a new token @throws when the server can't be reached */
  refreshToken: () => Promise<boolean>;
  /** @returns undefined if this version of the app doesn't know the kind */
  loadSender: (kind: string) => Promise<Send<Connection> | undefined>;
  /** The owner has signed out: what only they can send, such as files, waits for them and holds nothing up. */
  isLeft?: boolean;
  /** Called after each change of an entry. */
  onChange: (change: Change) => void;
};

/**
 * One pass over the entries of one kind. In an ordered kind an entry that can't be sent blocks those behind it.
 * @returns `done` when nothing waits, `later` when a retry is due, `signed-out` when a session is needed
 */
export async function sendWaiting<Connection>(
  ports: SenderPorts<Connection>,
): Promise<'done' | 'later' | 'signed-out'> {
  const { store, kind, isOrdered, currentUser, refreshToken, loadSender, onChange } = ports;
  const tried = new Set<string>();
  let unanswered = 0;
  let isLeft = false;
  let isRefreshed = false;

  const contextOf = (id: string, connection: Connection): SendContext<Connection> => ({
    connection,
    files: () => store.filesOf(id),
    updateFile: async (name, outcome) => {
      await store.updateFile(id, name, outcome);
      onChange({ id, outcome: 'changed' });
    },
    markStored: () => store.update(id, { isStored: true }),
  });

  for (;;) {
    let user: Awaited<ReturnType<typeof currentUser>>;
    try {
      user = await currentUser();
    } catch (error) {
      console.warn('The session can’t be read now:', toNotSent(error).message);
      return 'later';
    }
    if (!user) return 'signed-out';
    const next = (await store.listOf(user.userId)).find(
      (entry) => entry.kind === kind && entry.state === 'waiting' && !tried.has(entry.id),
    );
    if (!next) return isLeft ? 'later' : 'done';
    const send = await loadSender(kind);
    if (!send) return 'later';
    const { id } = next;
    try {
      await send(next, contextOf(id, user.connection));
      tried.add(id);
      await store.remove(id);
      // Nobody else on this device sees what it contains.
      onChange({ id, outcome: 'sent', ...(!ports.isLeft && { sent: next }) });
      unanswered = 0;
    } catch (error) {
      const { verdict, message } = toNotSent(error);
      if (verdict === 'signed-out' && !isRefreshed) {
        isRefreshed = true;
        const isNew = await refreshToken().catch(() => undefined);
        if (isNew) continue;
        if (isNew === undefined) return 'later';
      }
      tried.add(id);
      const state = verdict === 'refused' ? 'refused' : 'waiting';
      await store
        .update(id, { state, reason: message, attempts: next.attempts + 1 })
        // A full device can't store the reason; the entries behind are sent anyway.
        .catch(console.warn);
      onChange({ id, outcome: verdict });
      if (verdict === 'signed-out') {
        if (ports.isLeft && !isOrdered) continue;
        return 'signed-out';
      }
      if (verdict === 'refused') continue;
      isLeft = true;
      unanswered = verdict === 'offline' ? unanswered + 1 : 0;
      if (isOrdered || unanswered >= OFFLINE_AFTER) return 'later';
    }
  }
}
