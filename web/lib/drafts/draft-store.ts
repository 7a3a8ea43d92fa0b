// What somebody has typed and attached but not yet submitted, kept on this device for them alone: a dialog closed by
// accident, a dead battery or a second tab loses nothing.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** Values of a form, all text. */
type Values = Record<string, string>;

export type Draft<File> = {
  /** Made with the draft: what is submitted from it gets ids made of this one, so that it is stored once. */
  id: string;
  values: Values;
  files: File[];
  /** Milliseconds since 1970, of this device. */
  savedAt: number;
};

type StoredDraft = { userId: string; kind: string; id: string; values: Values; savedAt: number };
type StoredFile = { userId: string; kind: string; id: string; order: number; file: unknown };

interface DraftsSchema extends DBSchema {
  drafts: { key: [string, string]; value: StoredDraft };
  files: { key: [string, string, string]; value: StoredFile; indexes: { draft: [string, string] } };
}

let opened: Promise<IDBPDatabase<DraftsSchema>> | undefined;

function database() {
  opened ??= openDB<DraftsSchema>('drafts', 1, {
    upgrade(db) {
      db.createObjectStore('drafts', { keyPath: ['userId', 'kind'] });
      const files = db.createObjectStore('files', { keyPath: ['userId', 'kind', 'id'] });
      files.createIndex('draft', ['userId', 'kind']);
    },
    // Another tab of a later release waits for this one to let go.
    blocking: () => {
      void opened?.then((db) => db.close());
      opened = undefined;
    },
  });
  return opened;
}

/** Whose draft, and of what. */
export type DraftKey = { userId: string; kind: string };

/** @returns the draft that there is, else a new one; two tabs that ask get the same */
export async function openDraft({ userId, kind }: DraftKey): Promise<Draft<unknown>> {
  const work = (await database()).transaction(['drafts', 'files'], 'readwrite');
  const drafts = work.objectStore('drafts');
  let stored = await drafts.get([userId, kind]);
  if (!stored) {
    stored = { userId, kind, id: crypto.randomUUID(), values: {}, savedAt: Date.now() };
    await drafts.put(stored);
  }
  const files = await work.objectStore('files').index('draft').getAll([userId, kind]);
  await work.done;
  return {
    id: stored.id,
    values: stored.values,
    files: files.sort((a, b) => a.order - b.order).map(({ file }) => file),
    savedAt: stored.savedAt,
  };
}

/** @param id of the draft that the form was opened with */
export async function keepValues({ userId, kind }: DraftKey, id: string, values: Values) {
  await (await database()).put('drafts', { userId, kind, id, values, savedAt: Date.now() });
}

/** @param id of the file; the same one again takes the place of the earlier */
export async function keepFile({ userId, kind }: DraftKey, id: string, file: unknown) {
  const work = (await database()).transaction('files', 'readwrite');
  const before = await work.store.get([userId, kind, id]);
  await work.store.put({ userId, kind, id, order: before?.order ?? Date.now(), file });
  await work.done;
}

export async function dropFile({ userId, kind }: DraftKey, id: string) {
  await (await database()).delete('files', [userId, kind, id]);
}

/** Forgets the draft: it was submitted, or is not wanted any more. */
export async function dropDraft({ userId, kind }: DraftKey) {
  const work = (await database()).transaction(['drafts', 'files'], 'readwrite');
  const keys = await work.objectStore('files').index('draft').getAllKeys([userId, kind]);
  await Promise.all([
    work.objectStore('drafts').delete([userId, kind]),
    ...keys.map((key) => work.objectStore('files').delete(key)),
    work.done,
  ]);
}
