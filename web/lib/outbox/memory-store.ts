// Entries in memory, for browsers without IndexedDB and for tests.
import {
  type EntryStore,
  isDone,
  type OutboxEntry,
  type StoredFile,
  waitingFile,
} from './entry.ts';

/** @param entries by id; for a caller that has to look at them synchronously */
export function memoryStore(entries = new Map<string, OutboxEntry>()): EntryStore {
  const files = new Map<string, StoredFile[]>();
  const values = new Map<string, unknown>();
  let sequence = 0;
  return {
    isVolatile: true,
    async add(entry, attached) {
      if (entries.has(entry.id)) return;
      sequence += 1;
      entries.set(entry.id, { ...entry, sequence });
      files.set(entry.id, attached.map(waitingFile));
    },
    listOf: async (userId) => [...entries.values()].filter((entry) => entry.userId === userId),
    listOwners: async () => [...new Set([...entries.values()].map(({ userId }) => userId))],
    find: async (id) => entries.get(id),
    filesOf: async (id) => files.get(id) ?? [],
    async update(id, change) {
      const entry = entries.get(id);
      if (entry) entries.set(id, { ...entry, ...change });
    },
    async updateFile(id, name, outcome) {
      const change = (file: StoredFile) => ({
        ...file,
        ...outcome,
        blob: isDone(outcome) ? new Blob() : file.blob,
      });
      files.set(
        id,
        (files.get(id) ?? []).map((file) => (file.name === name ? change(file) : file)),
      );
    },
    async remove(id) {
      entries.delete(id);
      files.delete(id);
    },
    getValue: async (name) => values.get(name),
    async setValue(name, value) {
      values.set(name, value);
    },
  };
}
