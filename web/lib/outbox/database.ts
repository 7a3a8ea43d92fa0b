// The outbox's database in this browser, opened when it is needed and again when the browser has closed it.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { type KeptFile, type OutboxEntry, type OutboxFile, OutboxFull } from './entry.ts';

export interface OutboxSchema extends DBSchema {
  /** `sequence` is given by the database. */
  entries: {
    key: number;
    value: OutboxEntry | Omit<OutboxEntry, 'sequence'>;
    indexes: { id: string; userId: string };
  };
  /** Those that an earlier version of the app kept have neither label nor state. */
  files: {
    key: number;
    value: Pick<OutboxFile, 'name' | 'blob'> & Partial<KeptFile> & { entryId: string };
    indexes: { entryId: string };
  };
  values: { key: string; value: { name: string; value: unknown } };
}

export type OutboxDatabase = IDBPDatabase<OutboxSchema>;

let opened: Promise<OutboxDatabase> | undefined;

function open(): Promise<OutboxDatabase> {
  const opening = openDB<OutboxSchema>('outbox', 1, {
    upgrade(database) {
      const entries = database.createObjectStore('entries', {
        keyPath: 'sequence',
        autoIncrement: true,
      });
      entries.createIndex('id', 'id', { unique: true });
      entries.createIndex('userId', 'userId');
      const files = database.createObjectStore('files', { autoIncrement: true });
      files.createIndex('entryId', 'entryId');
      database.createObjectStore('values', { keyPath: 'name' });
    },
    // A newer version of the app in another tab may change the stores, or the person clears what sites keep.
    blocking: (_current, _blocked, event) => {
      forget();
      if (event.target instanceof IDBDatabase) event.target.close();
    },
    terminated: forget,
  });
  opened = opening;
  const forgetThis = () => opened === opening && forget();
  opening.catch(forgetThis);
  return opening;
}

function forget(): void {
  opened = undefined;
}

/** What a browser says of a connection that it has closed: after a page slept, or its storage was cleared. */
const isClosed = (error: unknown) =>
  error instanceof DOMException &&
  (error.name === 'InvalidStateError' || /connection.*(lost|clos)/i.test(error.message));

/** @param work done once more with a new connection where the browser had closed the old one: it must bear a repeat */
export async function inDatabase<T>(work: (database: OutboxDatabase) => Promise<T>): Promise<T> {
  try {
    return await work(await (opened ?? open()));
  } catch (error) {
    if (!isClosed(error)) throw error;
    return work(await open());
  }
}

/** No room, in the words of various browsers; a transaction that fails for it is aborted. */
const FULL = new Set(['QuotaExceededError', 'UnknownError', 'AbortError']);

/** The same for what needs room. @throws OutboxFull in the place of what browsers say when there is none */
export async function withRoom<T>(work: (database: OutboxDatabase) => Promise<T>): Promise<T> {
  try {
    return await inDatabase(work);
  } catch (error) {
    if (error instanceof DOMException && FULL.has(error.name)) throw new OutboxFull(error);
    throw error;
  }
}
