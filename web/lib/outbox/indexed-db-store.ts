// Entries in IndexedDB: they survive a closed page, a dead battery and a new version of the app.
import type { IDBPDatabase } from 'idb';
import { completed, type OutboxSchema, outboxDatabase } from '../indexed-db/databases.ts';
import { fromStored, NOTHING, toStored } from '../indexed-db/stored-blob.ts';
import {
  type EntryStore,
  type EntryUpdate,
  type FileOutcome,
  isDone,
  type OutboxEntry,
  OutboxFull,
  type StoredFile,
  waitingFile,
} from './entry.ts';

type OutboxDatabase = IDBPDatabase<OutboxSchema>;

const hasSequence = (entry: OutboxSchema['entries']['value']): entry is OutboxEntry =>
  'sequence' in entry;

const toStoredFile = (file: OutboxSchema['files']['value']): StoredFile => ({
  name: file.name,
  label: file.label ?? 'File',
  blob: fromStored(file.blob),
  state: file.state ?? 'waiting',
  reason: file.reason ?? null,
});

async function add(
  db: OutboxDatabase,
  entry: Omit<OutboxEntry, 'sequence'>,
  files: readonly OutboxSchema['files']['value'][],
) {
  // Entry and files in one transaction. `strict` flushes to disk before the app reports the entry as stored.
  const work = db.transaction(['entries', 'files'], 'readwrite', { durability: 'strict' });
  const write = async () => {
    const store = work.objectStore('entries');
    if (await store.index('id').getKey(entry.id)) return;
    await Promise.all([
      store.add(entry),
      ...files.map((file) => work.objectStore('files').add(file)),
    ]);
  };
  await completed(write(), work.done);
}

async function update(db: OutboxDatabase, id: string, change: EntryUpdate) {
  // Read and write in one transaction, so that an entry removed by another tab does not come back.
  const { store, done } = db.transaction('entries', 'readwrite');
  const write = async () => {
    const entry = await store.index('id').get(id);
    if (entry) await store.put({ ...entry, ...change });
  };
  await completed(write(), done);
}

async function updateFile(db: OutboxDatabase, id: string, name: string, outcome: FileOutcome) {
  const { store, done } = db.transaction('files', 'readwrite');
  const write = async () => {
    for await (const cursor of store.index('entryId').iterate(id)) {
      const { value } = cursor;
      if (value.name !== name) continue;
      const content = isDone(outcome) ? NOTHING : value.blob;
      await cursor.update({ ...value, ...outcome, blob: content });
    }
  };
  await completed(write(), done);
}

async function remove(db: OutboxDatabase, id: string) {
  const work = db.transaction(['entries', 'files'], 'readwrite');
  const write = async () => {
    const key = await work.objectStore('entries').index('id').getKey(id);
    if (key !== undefined) await work.objectStore('entries').delete(key);
    for (const file of await work.objectStore('files').index('entryId').getAllKeys(id)) {
      await work.objectStore('files').delete(file);
    }
  };
  await completed(write(), work.done);
}

/** How browsers report a full disk; a transaction that fails for it is aborted. */
const FULL_ERRORS = new Set(['QuotaExceededError', 'UnknownError', 'AbortError']);

/** @throws OutboxFull instead of the browser's error when there is no space */
async function write<T>(work: (db: OutboxDatabase) => Promise<T>): Promise<T> {
  try {
    return await outboxDatabase.run(work);
  } catch (error) {
    if (error instanceof DOMException && FULL_ERRORS.has(error.name)) throw new OutboxFull(error);
    throw error;
  }
}

const read = <T>(work: (db: OutboxDatabase) => Promise<T>) => outboxDatabase.run(work);

/** @throws when the browser blocks storage, for example in some private windows */
export async function indexedDbStore(): Promise<EntryStore> {
  await read(async () => undefined);
  return {
    isVolatile: false,
    add: async (entry, files) => {
      const attached = await Promise.all(
        files.map(async (file) => ({
          ...waitingFile(file),
          blob: await toStored(file.blob),
          entryId: entry.id,
        })),
      );
      await write((db) => add(db, entry, attached));
    },
    listOf: (userId) =>
      read(async (db) =>
        (await db.getAllFromIndex('entries', 'userId', userId)).filter(hasSequence),
      ),
    listOwners: () =>
      read(async (db) => {
        const owners = new Set<string>();
        for (const { userId } of await db.getAll('entries')) owners.add(userId);
        return [...owners];
      }),
    find: (id) =>
      read(async (db) => {
        const entry = await db.getFromIndex('entries', 'id', id);
        return entry && hasSequence(entry) ? entry : undefined;
      }),
    filesOf: (id) =>
      read(async (db) => (await db.getAllFromIndex('files', 'entryId', id)).map(toStoredFile)),
    update: (id, change) => write((db) => update(db, id, change)),
    updateFile: (id, name, outcome) => write((db) => updateFile(db, id, name, outcome)),
    remove: (id) => read((db) => remove(db, id)),
    getValue: (name) => read(async (db) => (await db.get('values', name))?.value),
    setValue: (name, value) =>
      write(async (db) => {
        await db.put('values', { name, value });
      }),
  };
}
