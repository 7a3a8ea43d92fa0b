// What every service is handed at start: settings, database, keys, a mailer, a blob store and a clock. Passed in, never imported.
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Keys } from './keys/keys.ts';
import type { Mailer } from './mail/mailer.ts';
import type { BlobStore } from './services/storage/blobs/blob-store.ts';
import type { Settings } from './settings.ts';

export interface Context {
  config: Config;
  settings: Settings;
  database: Database;
  keys: Keys;
  mailer: Mailer;
  /** Where the bytes of stored objects lie. */
  blobs: BlobStore;
  /** Public address without a trailing slash; known once the server listens. */
  siteUrl: () => string;
  /** Where this process listens, for calls from itself; known once it listens. */
  ownUrl: () => string;
  now: () => Date;
  /** Bytes of the disk that a folder is on: what this account may still write, and its whole size. */
  diskSpace: (folder: string) => Promise<{ free: number; total: number }>;
  /** Absolute path of the folder that holds the server's files beside its code. */
  serverDir: string;
}
