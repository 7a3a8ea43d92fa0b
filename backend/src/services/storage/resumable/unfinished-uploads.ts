// Unfinished resumable uploads of each sender: they take disk space before any row, and so any quota, knows of them.
import type { StorageSettings } from '../../../settings/storage.ts';
import { tooManyUnfinished } from '../errors/catalogue.ts';

export interface UnfinishedUploads {
  /** @throws StorageError where the sender would have more under way than may be stored in a day */
  add(id: string, sender: string, bytes: number): void;
  remove(id: string): void;
  /** Replaces all entries. */
  reset(entries: Iterable<[id: string, upload: UnfinishedUpload]>): void;
}

export interface UnfinishedUpload {
  sender: string;
  /** Declared length. */
  bytes: number;
}

export function openUnfinishedUploads({
  bytes_per_day: mostBytes = Number.POSITIVE_INFINITY,
  files_per_day: mostFiles = Number.POSITIVE_INFINITY,
}: StorageSettings['quota']): UnfinishedUploads {
  const uploads = new Map<string, UnfinishedUpload>();
  return {
    add: (id, sender, bytes) => {
      const own = [...uploads.values()].filter((upload) => upload.sender === sender);
      const sum = own.reduce((total, upload) => total + upload.bytes, bytes);
      if (own.length >= mostFiles || sum > mostBytes) throw tooManyUnfinished();
      uploads.set(id, { sender, bytes });
    },
    remove: (id) => {
      uploads.delete(id);
    },
    reset: (entries) => {
      uploads.clear();
      for (const [id, upload] of entries) uploads.set(id, upload);
    },
  };
}
