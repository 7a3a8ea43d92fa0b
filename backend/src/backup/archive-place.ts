import type { Readable } from 'node:stream';

/** Where archives are: a folder of this machine, or a bucket. Methods throw StartError for what an operator can fix. */
export interface ArchivePlace {
  /** On this machine; undefined for a bucket. */
  folder: string | undefined;
  /** A path, or s3://host/bucket/name without credentials. */
  addressOf(name: string): string;
  /**
   * Until it resolves, nothing has that name; nothing is left when the source fails.
   * @param expectedBytes what the archive will hardly exceed
   * @returns the archive's bytes
   */
  write(name: string, archive: AsyncIterable<Buffer>, expectedBytes: number): Promise<number>;
  read(name: string): Promise<{ data: Readable; bytes: number }>;
  /** Names of all files in it. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): void;
}
