// Drafts of forms: what a user has typed and attached but not submitted, stored on this device. Survives a dialog closed by
// accident, a dead battery and a second tab.
import { completed, type DraftValues, draftsDatabase } from '../indexed-db/databases.ts';

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
    const read = async () => {
      const drafts = work.objectStore('drafts');
      let stored = await drafts.get([userId, kind]);
      if (!stored) {
        stored = { userId, kind, id: crypto.randomUUID(), values: {}, savedAt: Date.now() };
        await drafts.put(stored);
      }
      const files = await work.objectStore('files').index('draft').getAll([userId, kind]);
      return {
        id: stored.id,
        values: stored.values,
        files: files.sort((a, b) => a.order - b.order).map(({ file }) => file),
        savedAt: stored.savedAt,
      };
    };
    return completed(read(), work.done);
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
    const { store, done } = db.transaction('files', 'readwrite');
    const write = async () => {
      const before = await store.get([userId, kind, id]);
      await store.put({ userId, kind, id, order: before?.order ?? Date.now(), file });
    };
    await completed(write(), done);
  });
}

export function deleteDraftFile({ userId, kind }: DraftKey, id: string) {
  return draftsDatabase.run((db) => db.delete('files', [userId, kind, id]));
}

export function deleteDraft({ userId, kind }: DraftKey) {
  return draftsDatabase.run(async (db) => {
    const work = db.transaction(['drafts', 'files'], 'readwrite');
    const remove = async () => {
      const keys = await work.objectStore('files').index('draft').getAllKeys([userId, kind]);
      await Promise.all([
        work.objectStore('drafts').delete([userId, kind]),
        ...keys.map((key) => work.objectStore('files').delete(key)),
      ]);
    };
    await completed(remove(), work.done);
  });
}

/**
 * An id made on the device, the same for each attempt of one submission: a retry after a lost response, in a second tab or by
 * a second press names the same record.
 * @param parts everything that distinguishes submissions, including the id of the draft
 * @returns a UUID of version 8 (RFC 9562), from SHA-256
 */
export async function submissionId(...parts: string[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(parts));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 16);
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
