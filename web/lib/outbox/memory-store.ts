// Entries in memory: for a browser that keeps no database, where they last as long as the page does.

import {
  type EntryStore,
  fileAfter,
  firstFileState,
  type KeptFile,
  type OutboxEntry,
} from './entry.ts';

export function memoryStore(): EntryStore {
  const entries = new Map<string, OutboxEntry>();
  const files = new Map<string, KeptFile[]>();
  const values = new Map<string, unknown>();
  let sequence = 0;
  return {
    isFleeting: true,
    async add(entry, attached) {
      if (entries.has(entry.id)) return;
      sequence += 1;
      entries.set(entry.id, { ...entry, sequence });
      files.set(entry.id, attached.map(firstFileState));
    },
    listOf: async (userId) => [...entries.values()].filter((entry) => entry.userId === userId),
    find: async (id) => entries.get(id),
    filesOf: async (id) => files.get(id) ?? [],
    async note(id, change) {
      const entry = entries.get(id);
      if (entry) entries.set(id, { ...entry, ...change });
    },
    async noteFile(id, name, outcome) {
      const change = (file: KeptFile) => (file.name === name ? fileAfter(file, outcome) : file);
      files.set(id, (files.get(id) ?? []).map(change));
    },
    async remove(id) {
      entries.delete(id);
      files.delete(id);
    },
    recall: async (name) => values.get(name),
    async remember(name, value) {
      values.set(name, value);
    },
  };
}
