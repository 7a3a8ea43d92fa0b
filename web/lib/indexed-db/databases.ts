// The app's IndexedDB databases: their stores and versions, and the one way to use them. A change of a store raises its
// database's version, and `upgrade` must keep what earlier versions of the app have stored. Outbox and drafts only ever get
// more stores, indexes and optional fields, because an older version of the app goes on using them.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { OutboxEntry, OutboxFile, StoredFile } from '../outbox/entry.ts';
import type { StoredBlob } from './stored-blob.ts';

class Database<Schema extends DBSchema> {
  readonly #name: string;
  readonly #version: number;
  readonly #upgrade: (db: IDBPDatabase<Schema>) => void;
  readonly #newer: 'use' | 'refuse';
  #opened: Promise<IDBPDatabase<Schema>> | undefined;

  /** @param newer what to do if a newer version of the app, in another tab or before it was rolled back, has upgraded it */
  constructor(
    name: string,
    version: number,
    newer: 'use' | 'refuse',
    upgrade: (db: IDBPDatabase<Schema>) => void,
  ) {
    this.#name = name;
    this.#version = version;
    this.#newer = newer;
    this.#upgrade = upgrade;
  }

  /**
   * @param work runs again on a new connection if the browser had closed the old one, so it must be repeatable
   * @throws if the browser blocks storage, for example in some private windows
   */
  async run<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.#opened ?? this.#open()));
    } catch (error) {
      if (!isConnectionClosed(error)) throw error;
      return work(await this.#open());
    }
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    const forget = () => {
      if (this.#opened === opening) this.#opened = undefined;
    };
    const callbacks = {
      // A newer version of the app in another tab must not wait for this one, nor clearing of the site's data.
      blocking: (_current: number, _blocked: number | null, event: IDBVersionChangeEvent) => {
        forget();
        if (event.target instanceof IDBDatabase) event.target.close();
      },
      terminated: forget,
    };
    const opening = openDB<Schema>(this.#name, this.#version, {
      ...callbacks,
      upgrade: this.#upgrade,
    }).catch((error: unknown) => {
      const isNewer = error instanceof DOMException && error.name === 'VersionError';
      if (!isNewer || this.#newer === 'refuse') throw error;
      return openDB<Schema>(this.#name, undefined, callbacks);
    });
    this.#opened = opening;
    opening.then((db) => {
      const close = () => {
        forget();
        db.close();
      };
      // A page that WebKit keeps for "Back" would keep its transactions too, and every later page would wait for them.
      if (typeof document === 'object') addEventListener('pagehide', close, { once: true });
    }, forget);
    return opening;
  }
}

/** Browsers close connections while a page sleeps, or when storage is cleared. */
const isConnectionClosed = (error: unknown) =>
  error instanceof DOMException &&
  (error.name === 'InvalidStateError' || /connection.*(lost|clos)/i.test(error.message));

/**
 * Waits for the requests of a transaction and for its end. Awaited one after the other, an aborted transaction would be a
 * second error, which nothing catches.
 */
export async function completed<T>(requests: Promise<T>, done: Promise<void>): Promise<T> {
  const [result] = await Promise.all([requests, done]);
  return result;
}

export interface OutboxSchema extends DBSchema {
  /** `sequence` is assigned by the database. */
  entries: {
    key: number;
    value: OutboxEntry | Omit<OutboxEntry, 'sequence'>;
    indexes: { id: string; userId: string };
  };
  /** Files stored by earlier versions of the app have neither label nor state. */
  files: {
    key: number;
    value: Pick<OutboxFile, 'name'> &
      Partial<Omit<StoredFile, 'blob'>> & { entryId: string; blob: StoredBlob };
    indexes: { entryId: string };
  };
  values: { key: string; value: { name: string; value: unknown } };
}

export const outboxDatabase = new Database<OutboxSchema>('outbox', 1, 'use', (db) => {
  const entries = db.createObjectStore('entries', { keyPath: 'sequence', autoIncrement: true });
  entries.createIndex('id', 'id', { unique: true });
  entries.createIndex('userId', 'userId');
  const files = db.createObjectStore('files', { autoIncrement: true });
  files.createIndex('entryId', 'entryId');
  db.createObjectStore('values', { keyPath: 'name' });
});

/** Form values, all text. */
export type DraftValues = Record<string, string>;

interface DraftsSchema extends DBSchema {
  drafts: {
    key: [string, string];
    value: { userId: string; kind: string; id: string; values: DraftValues; savedAt: number };
  };
  files: {
    key: [string, string, string];
    value: { userId: string; kind: string; id: string; order: number; file: unknown };
    indexes: { draft: [string, string] };
  };
}

export const draftsDatabase = new Database<DraftsSchema>('drafts', 1, 'use', (db) => {
  db.createObjectStore('drafts', { keyPath: ['userId', 'kind'] });
  const files = db.createObjectStore('files', { keyPath: ['userId', 'kind', 'id'] });
  files.createIndex('draft', ['userId', 'kind']);
});

export type CachedQuery = {
  userId: string;
  /** TanStack's hash of the query key. */
  hash: string;
  queryKey: readonly unknown[];
  data: unknown;
  /** When the data was fetched, milliseconds since 1970. */
  updatedAt: number;
};

interface QueryCacheSchema extends DBSchema {
  answers: { key: [string, string]; value: CachedQuery; indexes: { userId: string } };
}

/** Raise the version when the data of a stored query changes its shape: the cache then starts empty. */
export const queryCacheDatabase = new Database<QueryCacheSchema>('last-seen', 1, 'refuse', (db) => {
  for (const name of db.objectStoreNames) db.deleteObjectStore(name);
  const answers = db.createObjectStore('answers', { keyPath: ['userId', 'hash'] });
  answers.createIndex('userId', 'userId');
});
