// The server's report to admins about itself: the screen System, and the notice about backups on the dashboard.
import { z } from 'zod';

const instant = z.iso.datetime();

export const backupState = z.object({
  /** The moment that the newest backup is from. */
  lastAt: instant.nullable(),
  /** Hours between scheduled backups; null without a schedule. */
  everyHours: z.number().nullable(),
  /** Older than twice its interval (two days without a schedule), or none at all. Never for a demo without a schedule. */
  isOverdue: z.boolean(),
  /** For a restore to a point in time; null where changes are not saved. A node with the code before may leave it out. */
  changes: z
    .object({
      /** Null before the first ones are saved. */
      until: instant.nullable(),
      isLate: z.boolean(),
    })
    .nullable()
    .default(null),
});
export type BackupState = z.infer<typeof backupState>;

export const systemReport = z.object({
  at: instant,
  versions: z.object({
    product: z.string(),
    node: z.string(),
    postgres: z.string(),
    /** Version of the newest migration. */
    schema: z.string(),
  }),
  /** Servers on this database, this one included. */
  nodes: z.array(
    z.object({ id: z.string(), version: z.string(), isThis: z.boolean(), since: instant }),
  ),
  startedAt: instant,
  memoryBytes: z.number(),
  mail: z.enum(['server', 'folder']),
  services: z.array(
    z.object({
      service: z.string(),
      requests: z.number(),
      failed: z.number(),
      averageMs: z.number().nullable(),
    }),
  ),
  pools: z.array(
    z.object({ pool: z.string(), size: z.number(), inUse: z.number(), waiting: z.number() }),
  ),
  jobs: z.array(
    z.object({
      job: z.string(),
      lastAt: instant.nullable(),
      nextAt: instant.nullable(),
      /** Later than it may be (server/operations/work.ts). */
      isLate: z.boolean(),
      failures: z.number(),
      failedAt: instant.nullable(),
      code: z.string(),
    }),
  ),
  queues: z.array(
    z.object({
      queue: z.string(),
      waiting: z.number(),
      overdueSeconds: z.number(),
      failed: z.number(),
    }),
  ),
  errors: z.array(
    z.object({
      at: instant,
      what: z.string(),
      reason: z.string(),
      requestId: z.string().nullable(),
      request: z.string().nullable(),
    }),
  ),
  storage: z.object({
    databaseBytes: z.number(),
    tables: z.array(z.object({ table: z.string(), bytes: z.number(), rows: z.number() })),
    objects: z.object({ count: z.number(), bytes: z.number() }),
    disks: z.array(z.object({ name: z.string(), free: z.number(), total: z.number() })),
  }),
  backups: backupState.extend({
    last: z.array(
      z.object({
        takenAt: instant,
        bytes: z.number(),
        isScheduled: z.boolean(),
        verifiedAt: instant.nullable(),
      }),
    ),
    /** Restores to a point in time; null when changes are not saved. */
    restorable: z.object({ from: instant, until: instant }).nullable(),
  }),
});
export type SystemReport = z.infer<typeof systemReport>;
