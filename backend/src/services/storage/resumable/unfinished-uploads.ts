import type { StorageSettings } from '../../../settings/storage.ts';
import { tooManyUnfinished } from '../errors/catalogue.ts';

/** Limits unfinished uploads per sender, which use disk space before any row, and therefore any quota, counts them. */
export interface UnfinishedUploads {
  /** @throws StorageError when the sender would exceed the daily quota */
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
  bytes_per_day: maxBytes = Number.POSITIVE_INFINITY,
  files_per_day: maxFiles = Number.POSITIVE_INFINITY,
}: StorageSettings['quota']): UnfinishedUploads {
  const uploads = new Map<string, UnfinishedUpload>();
  return {
    add: (id, sender, bytes) => {
      const own = [...uploads.values()].filter((upload) => upload.sender === sender);
      const sum = own.reduce((total, upload) => total + upload.bytes, bytes);
      if (own.length >= maxFiles || sum > maxBytes) throw tooManyUnfinished();
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
