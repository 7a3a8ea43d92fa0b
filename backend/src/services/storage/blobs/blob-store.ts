import type { Readable } from 'node:stream';

/** Stores the bytes of objects. A blob is written once, atomically, and never changed. */
export interface BlobStore {
  /**
   * Resolves when the blob is durable; nothing remains of it when the source fails.
   * @param id the object's version, a uuid
   * @throws the source's error, or a system error such as ENOSPC
   */
  write(id: string, source: Readable): Promise<void>;
  /**
   * @param range first and last byte, inclusive; default: all
   * @throws BlobMissing
   */
  read(id: string, range?: { first: number; last: number }): Promise<Readable>;
  /** Idempotent. */
  remove(id: string): Promise<void>;
  /** Whether no other process writes to it, so that no upload can be in progress at start. */
  isExclusive: boolean;
  close(): Promise<void>;
}

/** The blob of an existing row: either just replaced, or lost. */
export class BlobMissing extends Error {
  constructor(id: string) {
    super(`There is no blob ${id}.`);
  }
}
