// Entries in IndexedDB: they survive a closed page, a dead battery and a new version of the app.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { OutboxEntry, OutboxFile } from './entry.ts';
import { type EntryStore, OutboxFull } from './entry-store.ts';

interface Schema extends DBSchema {
  /** `sequence` is given by the database. */
  entries: {
    key: number;
    value: OutboxEntry | Omit<OutboxEntry, 'sequence'>;
    indexes: { id: string; userId: string };
  };
  files: {
    key: number;
    value: OutboxFile & { entryId: string };
    indexes: { entryId: string };
  };
  values: { key: string; value: { name: string; value: unknown } };
}

/** No room, in the words of various browsers; a transaction that fails for it is aborted. */
const FULL = new Set(['QuotaExceededError', 'UnknownError', 'AbortError']);

/** @throws OutboxFull in the place of what browsers say when there is no room */
async function withRoom<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DOMException && FULL.has(error.name)) throw new OutboxFull(error);
    throw error;
  }
}

const isStored = (entry: Schema['entries']['value']): entry is OutboxEntry => 'sequence' in entry;

/** @throws when the browser keeps no database, for example in some private windows */
export async function indexedDbStore(): Promise<EntryStore> {
  const db: IDBPDatabase<Schema> = await openDB<Schema>('outbox', 1, {
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
    // A newer version of the app in another tab may change the stores.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  });

  async function find(id: string): Promise<OutboxEntry | undefined> {
    const entry = await db.getFromIndex('entries', 'id', id);
    return entry && isStored(entry) ? entry : undefined;
  }

  async function add(entry: Omit<OutboxEntry, 'sequence'>, files: readonly OutboxFile[]) {
    // Entry and files together, or neither; written to the disk before anybody is told that it is kept.
    const change = db.transaction(['entries', 'files'], 'readwrite', { durability: 'strict' });
    const write = async () => {
      const store = change.objectStore('entries');
      if (await store.index('id').getKey(entry.id)) return;
      await Promise.all([
        store.add(entry),
        ...files.map((file) => change.objectStore('files').add({ ...file, entryId: entry.id })),
      ]);
    };
    await Promise.all([write(), change.done]);
  }

  async function remove(id: string) {
    const change = db.transaction(['entries', 'files'], 'readwrite');
    const key = await change.objectStore('entries').index('id').getKey(id);
    if (key !== undefined) await change.objectStore('entries').delete(key);
    for (const file of await change.objectStore('files').index('entryId').getAllKeys(id)) {
      await change.objectStore('files').delete(file);
    }
    await change.done;
  }

  return {
    find,
    remove,
    add: (entry, files) => withRoom(add(entry, files)),
    listOf: async (userId) =>
      (await db.getAllFromIndex('entries', 'userId', userId)).filter(isStored),
    filesOf: async (id) =>
      (await db.getAllFromIndex('files', 'entryId', id)).map(({ name, blob }) => ({ name, blob })),
    async note(id, change) {
      const entry = await find(id);
      if (entry) await withRoom(db.put('entries', { ...entry, ...change }));
    },
    recall: async (name) => (await db.get('values', name))?.value,
    async remember(name, value) {
      await withRoom(db.put('values', { name, value }));
    },
  };
}
