// Passed in, never imported, so that tests can replace any part.
import type { FastifyInstance } from 'fastify';
import type { ClientBase, ClientConfig } from 'pg';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { RecentErrors } from './http/recent-errors.ts';
import type { Keys } from './keys/keys.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Requests } from './metrics/requests.ts';
import type { Metric } from './metrics/text.ts';
import type { Organisation } from './organisation.ts';
import type { BlobStore } from './services/storage/blobs/blob-store.ts';
import type { Settings } from './settings/settings.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface Application {
  /** The program's name in traces. */
  name?: string;
  /** The program's version, shown to other processes on the database. */
  version?: string;
  organisation: Organisation;
  /** Logs the links of mails that are written to the outbox. They sign their reader in: for demonstrations only. */
  logMailLinks?: boolean;
  /** Changes settings after `config.toml` was read. */
  adjustSettings?(settings: Settings): void;
  /** Runs on a database without any migration; again, if the first start was interrupted. */
  beforeFirstMigration?(client: ClientBase): Promise<void>;
  /** Runs before new migrations on a database that has some. @throws StartError, and nothing is changed */
  beforeUpgrade?(database: { connection: ClientConfig; blobs: Context['blobs'] }): Promise<void>;
  /** Runs at every start, after migrations and seed, under the set-up lock. */
  afterMigrations?(client: ClientBase, blobs: Context['blobs']): Promise<void>;
  /** Origins besides our own from which pages may load images. */
  imageOrigins?: string[];
  /** The Permissions-Policy header. */
  permissionsPolicy?: string;
  /** Metrics of the application besides those of the services. @throws when the database does not answer */
  metrics?(context: Context): Promise<Metric[]>;
  /** Added to /readyz. It must not wait for a disk or a network. */
  readiness?(context: Context): Record<string, unknown>;
  /** Adds pages and routes of the application to the server. */
  routes?(app: FastifyInstance, context: Context): Promise<void>;
}

export interface Context {
  config: Config;
  application: Application;
  settings: Settings;
  database: Database;
  keys: Keys;
  mailer: Mailer;
  /** Stores the bytes of objects. */
  blobs: BlobStore;
  /** Public address without a trailing slash; known once the server listens. */
  siteUrl: () => string;
  /** The listening address, for calls of this process to itself; known once it listens. */
  ownUrl: () => string;
  now: () => Date;
  /** Bytes that this account may still write to the folder's disk, and the disk's size. */
  diskSpace: (folder: string) => Promise<{ free: number; total: number }>;
  /** Seen by this process since its start. */
  observed: { requests: Requests; errors: RecentErrors };
  /** Records spans, if a collector is configured. */
  tracing: Tracing | undefined;
  /** Absolute path of `backend/src`, where SQL files and lists are read from. */
  sourceDir: string;
}
