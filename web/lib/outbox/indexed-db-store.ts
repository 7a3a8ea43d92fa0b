// Entries in IndexedDB: they survive a closed page, a dead battery and a new version of the app.
import { inDatabase, type OutboxDatabase, type OutboxSchema, withRoom } from './database.ts';
import {
  type EntryNote,
  type EntryStore,
  type FileOutcome,
  fileAfter,
  firstFileState,
  type KeptFile,
  type OutboxEntry,
  type OutboxFile,
} from './entry.ts';

const isStored = (entry: OutboxSchema['entries']['value']): entry is OutboxEntry =>
  'sequence' in entry;

const keptFile = (file: OutboxSchema['files']['value']): KeptFile => ({
  name: file.name,
  label: file.label ?? 'File',
  blob: file.blob,
  state: file.state ?? 'waiting',
  reason: file.reason ?? null,
});

async function add(
  db: OutboxDatabase,
  entry: Omit<OutboxEntry, 'sequence'>,
  files: readonly OutboxFile[],
) {
  // Entry and files together, or neither; written to the disk before anybody is told that it is kept.
  const change = db.transaction(['entries', 'files'], 'readwrite', { durability: 'strict' });
  const write = async () => {
    const store = change.objectStore('entries');
    if (await store.index('id').getKey(entry.id)) return;
    const attached = files.map((file) => ({ ...firstFileState(file), entryId: entry.id }));
    await Promise.all([
      store.add(entry),
      ...attached.map((file) => change.objectStore('files').add(file)),
    ]);
  };
  await Promise.all([write(), change.done]);
}

async function note(db: OutboxDatabase, id: string, change: EntryNote) {
  // In one go, so that what another tab has removed meanwhile does not come back.
  const { store, done } = db.transaction('entries', 'readwrite');
  const write = async () => {
    const entry = await store.index('id').get(id);
    if (entry) await store.put({ ...entry, ...change });
  };
  await Promise.all([write(), done]);
}

async function noteFile(db: OutboxDatabase, id: string, name: string, outcome: FileOutcome) {
  const { store, done } = db.transaction('files', 'readwrite');
  const write = async () => {
    for await (const cursor of store.index('entryId').iterate(id)) {
      const { value } = cursor;
      if (value.name !== name) continue;
      await cursor.update({ ...fileAfter(keptFile(value), outcome), entryId: id });
    }
  };
  await Promise.all([write(), done]);
}

async function remove(db: OutboxDatabase, id: string) {
  const change = db.transaction(['entries', 'files'], 'readwrite');
  const key = await change.objectStore('entries').index('id').getKey(id);
  if (key !== undefined) await change.objectStore('entries').delete(key);
  for (const file of await change.objectStore('files').index('entryId').getAllKeys(id)) {
    await change.objectStore('files').delete(file);
  }
  await change.done;
}

/** @throws when the browser keeps no database, for example in some private windows */
export async function indexedDbStore(): Promise<EntryStore> {
  await inDatabase(async () => undefined);
  return {
    isFleeting: false,
    add: (entry, files) => withRoom((db) => add(db, entry, files)),
    listOf: (userId) =>
      inDatabase(async (db) =>
        (await db.getAllFromIndex('entries', 'userId', userId)).filter(isStored),
      ),
    find: (id) =>
      inDatabase(async (db) => {
        const entry = await db.getFromIndex('entries', 'id', id);
        return entry && isStored(entry) ? entry : undefined;
      }),
    filesOf: (id) =>
      inDatabase(async (db) => (await db.getAllFromIndex('files', 'entryId', id)).map(keptFile)),
    note: (id, change) => withRoom((db) => note(db, id, change)),
    noteFile: (id, name, outcome) => withRoom((db) => noteFile(db, id, name, outcome)),
    remove: (id) => inDatabase((db) => remove(db, id)),
    recall: (name) => inDatabase(async (db) => (await db.get('values', name))?.value),
    remember: (name, value) =>
      withRoom(async (db) => {
        await db.put('values', { name, value });
      }),
  };
}
