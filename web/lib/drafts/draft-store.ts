// Drafts of forms: what a user has typed and attached but not submitted, stored on this device. Survives a dialog closed by
// accident, a dead battery and a second tab.
import { type DraftValues, draftsDatabase } from '../indexed-db/databases.ts';

export type Draft<File> = {
  /** Created with the draft. Ids of what is submitted derive from it, so that a retry stores nothing twice. */
  id: string;
  values: DraftValues;
  files: File[];
  /** Milliseconds since 1970, by the device's clock. */
  savedAt: number;
};

/** Owner and form of a draft. */
export type DraftKey = { userId: string; kind: string };

/** @returns the existing draft or a new one; two tabs get the same */
export function openDraft({ userId, kind }: DraftKey): Promise<Draft<unknown>> {
  return draftsDatabase.run(async (db) => {
    const work = db.transaction(['drafts', 'files'], 'readwrite');
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
  });
}

/** @param id of the draft that the form was opened with */
export async function saveDraftValues({ userId, kind }: DraftKey, id: string, values: DraftValues) {
  await draftsDatabase.run((db) =>
    db.put('drafts', { userId, kind, id, values, savedAt: Date.now() }),
  );
}

/** @param id of the file; saving the same id again replaces it */
export function saveDraftFile({ userId, kind }: DraftKey, id: string, file: unknown) {
  return draftsDatabase.run(async (db) => {
    const work = db.transaction('files', 'readwrite');
    const before = await work.store.get([userId, kind, id]);
    await work.store.put({ userId, kind, id, order: before?.order ?? Date.now(), file });
    await work.done;
  });
}

export function deleteDraftFile({ userId, kind }: DraftKey, id: string) {
  return draftsDatabase.run((db) => db.delete('files', [userId, kind, id]));
}

export function deleteDraft({ userId, kind }: DraftKey) {
  return draftsDatabase.run(async (db) => {
    const work = db.transaction(['drafts', 'files'], 'readwrite');
    const keys = await work.objectStore('files').index('draft').getAllKeys([userId, kind]);
    await Promise.all([
      work.objectStore('drafts').delete([userId, kind]),
      ...keys.map((key) => work.objectStore('files').delete(key)),
      work.done,
    ]);
  });
}
