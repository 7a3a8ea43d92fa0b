// Where the bytes of objects lie. A blob is written once, whole or not at all, and never changed.
import type { Readable } from 'node:stream';

export interface BlobStore {
  /**
   * Resolves when the blob is safe; nothing of it stays when the source fails.
   * @param id the object's version, a uuid
   * @throws the source's error, or the system's (ENOSPC …)
   */
  write(id: string, source: Readable): Promise<void>;
  /**
   * @param range first and last byte, both included; all of it by default
   * @throws BlobMissing
   */
  read(id: string, range?: { first: number; last: number }): Promise<Readable>;
  /** Removing what is not there is no error. */
  remove(id: string): Promise<void>;
  /** Whether only this process writes to it, so that at its start nothing can be under way. */
  isExclusive: boolean;
  close(): Promise<void>;
}

/** The row says that there is a blob, the store has none: replaced a moment ago, or lost. */
export class BlobMissing extends Error {
  constructor(id: string) {
    super(`There is no blob ${id}.`);
  }
}
