import type { Context } from 'supabase-in-node/context';
import { oneRow, readPools } from 'supabase-in-node/metrics-of-database';
import { runningNodes } from 'supabase-in-node/nodes';
import { restorableRanges } from 'supabase-in-node/wal';
import type { SystemReport } from '#shared/system-report.ts';
import { readProduct } from '../backups/product.ts';
import type { AppConfig } from '../config.ts';
import { companyFacts } from '../metrics/metrics.ts';
import { failedRuns } from '../operations/jobs.ts';
import { isJobLate, startOfProcess, WORK } from '../operations/work.ts';
import { readBackupState } from './backup-state.ts';

interface Facts {
  postgres: string;
  schema: string | null;
  size: number;
  tables: SystemReport['storage']['tables'];
  objects: number;
  objectBytes: number;
}

/** Sizes of partitions count for their table. */
const FACTS = `
  select current_setting('server_version') as postgres,
    (select max(m.version) from supabase_migrations.schema_migrations m) as schema,
    pg_database_size(current_database())::float8 as size,
    (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (
       select format('%s.%s', n.nspname, c.relname) as "table", sum(pg_total_relation_size(p.oid))::float8 as bytes,
         greatest(sum(p.reltuples), 0)::float8 as rows
       from pg_class p
       join pg_class c on c.oid = coalesce((select h.inhparent from pg_inherits h where h.inhrelid = p.oid), p.oid)
       join pg_namespace n on n.oid = c.relnamespace
       where p.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       group by 1 order by 2 desc limit 10
     ) t) as tables,
    (select count(*)::int from storage.objects) as objects,
    (select coalesce(sum((o.metadata ->> 'size')::float8), 0) from storage.objects o) as "objectBytes"`;

const LAST_BACKUPS = `
  select taken_at as "takenAt", bytes::float8 as bytes, is_scheduled as "isScheduled", verified_at as "verifiedAt"
  from platform.backups order by taken_at desc limit 5`;

const isoOf = (seconds: number | null | undefined): string | null =>
  seconds == null ? null : new Date(seconds * 1000).toISOString();

/** @throws when the database does not answer in time */
export async function readReport(config: AppConfig, context: Context): Promise<SystemReport> {
  const { database, observed } = context;
  const now = context.now();
  // Before our own queries, which come one after the other: the server's work must not wait for them.
  const pools = readPools(database);
  const product = await readProduct(config.rootDir);
  const facts = await oneRow<Facts>(database.owner, FACTS);
  const company = await companyFacts(database.owner);
  const nodes = await runningNodes(database.owner);
  const backups = await readBackups(config, context);
  const disks = await readDisks(config, context);
  if (facts === undefined) throw new Error('The database said nothing about itself.');
  return {
    at: now.toISOString(),
    versions: {
      product: product.version,
      node: process.version.slice(1),
      postgres: facts.postgres,
      schema: facts.schema ?? '',
    },
    nodes: nodes.map((node) => ({ ...node, since: node.since.toISOString() })),
    startedAt: new Date(startOfProcess()).toISOString(),
    memoryBytes: process.memoryUsage().rss,
    mail: config.smtpUrl === undefined ? 'folder' : 'server',
    services: observed.requests.summary(),
    pools,
    jobs: jobsOf(company?.jobs ?? []),
    queues: (company?.queues ?? []).map(({ overdue, ...queue }) => ({
      ...queue,
      overdueSeconds: overdue,
    })),
    errors: observed.errors.list().map((error) => ({
      ...error,
      requestId: error.requestId ?? null,
      request: error.request ?? null,
    })),
    storage: {
      databaseBytes: facts.size,
      tables: facts.tables,
      objects: { count: facts.objects, bytes: facts.objectBytes },
      disks,
    },
    backups,
  };
}

/** Also those that have never run. */
function jobsOf(known: { job: string; last: number | null; next: number }[]): SystemReport['jobs'] {
  const runs = new Map(known.map((row) => [row.job, row]));
  return WORK.map((work) => {
    const run = runs.get(work.name);
    const failures = failedRuns.get(work.name);
    return {
      job: work.name,
      lastAt: isoOf(run?.last),
      nextAt: isoOf(run?.next),
      isLate: isJobLate(work, run?.next),
      failures: failures?.count ?? 0,
      failedAt: failures?.at?.toISOString() ?? null,
      code: failures?.code ?? '',
    };
  });
}

async function readBackups(config: AppConfig, context: Context): Promise<SystemReport['backups']> {
  const { schedule, rootDir } = config;
  const state = await readBackupState(config, context);
  const { rows } = await context.database.owner.query<{
    takenAt: Date;
    bytes: number;
    isScheduled: boolean;
    verifiedAt: Date | null;
  }>(LAST_BACKUPS);
  const product = await readProduct(rootDir);
  const folder = schedule?.walFolder;
  const ranges = folder === undefined ? [] : await restorableRanges(folder, product.name);
  const range = ranges.at(-1);
  return {
    ...state,
    last: rows.map((row) => ({
      ...row,
      takenAt: row.takenAt.toISOString(),
      verifiedAt: row.verifiedAt?.toISOString() ?? null,
    })),
    restorable: range ? { from: range.from.toISOString(), until: range.until.toISOString() } : null,
  };
}

async function readDisks(
  { dataDir, schedule }: AppConfig,
  { diskSpace }: Context,
): Promise<SystemReport['storage']['disks']> {
  const data = { name: 'Data', ...(await diskSpace(dataDir)) };
  if (schedule === undefined || !('folder' in schedule.place)) return [data];
  // Before the first backup the folder may be missing.
  const backups = await diskSpace(schedule.place.folder).catch(() => undefined);
  return backups === undefined ? [data] : [data, { name: 'Backups', ...backups }];
}
