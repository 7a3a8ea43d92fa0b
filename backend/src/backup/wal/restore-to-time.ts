// Fills an empty DATA_DIR with the state of a moment: a base backup, and PostgreSQL's own recovery over the segments after it.
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { startCluster } from '../../database/embedded/cluster.ts';
import { hasTable, withClient } from '../../database/with-client.ts';
import { replaceFile } from '../../files.ts';
import type { BlobStore } from '../../services/storage/blobs/blob-store.ts';
import { openBlobs } from '../../services/storage/blobs/s3.ts';
import { StartError } from '../../start-error.ts';
import { type Derive, rememberKeys } from '../archive-format.ts';
import type { EntryHeader, EntryRecord } from '../entries.ts';
import { explain } from '../explain.ts';
import { openFolder } from '../folder-place.ts';
import { readArchive, requireProduct } from '../read-archive.ts';
import { intoEmpty, type RestoreOptions } from '../restore.ts';
import {
  type Base,
  findChain,
  listRanges,
  missingSegment,
  type Run,
  readReach,
  readRuns,
  type Segment,
  walFolder,
} from './wal-folder.ts';

/** A day of WAL may take an hour to replay. */
const RECOVERY_LIMIT_MS = 24 * 60 * 60_000;

type TimeOptions = Omit<RestoreOptions, 'source' | 'sourceDir'> & {
  /** Absolute path of an archive, or of the folder of the archives. */
  source: string;
  to: Date;
};

export interface RestoredState {
  /** Start of the base backup that it began with. */
  base: string;
  segments: number;
  objects: number;
  /** Stored objects whose bytes are in no backup. */
  missing: number;
}

/** @throws StartError; DATA_DIR is still empty then */
export async function restoreToTime(options: TimeOptions): Promise<RestoredState> {
  const { config, to, source, product, progress } = options;
  if (config.databaseUrl !== undefined) {
    throw new StartError(
      'A restore to a point in time works for the embedded PostgreSQL only. For the one at DATABASE_URL use its own: docs/operations.md, "Restore to a point in time".',
    );
  }
  return explain(config.dataDir, async () => {
    const folder = await walFolderOf(source, product.name);
    const { base, chain } = await choose(folder, to);
    let restored: RestoredState | undefined;
    await intoEmpty(config.dataDir, async (target) => {
      const blobs = await openBlobs({ dataDir: target, storageUrl: config.storageUrl });
      try {
        const loader = new Loader(target, blobs, options);
        progress('Restoring the base backup');
        await loader.load(base.file);
        progress(`Restoring ${chain.length} segments of changes`);
        for (const { file } of chain) await loader.load(file);
        progress(`Replaying changes until ${to.toISOString()}`);
        const missing = await recover(target, to, loader.objects);
        restored = {
          base: base.endedAt.toISOString(),
          segments: chain.length,
          objects: loader.objects.size,
          missing,
        };
      } finally {
        await blobs.close();
      }
    });
    if (restored === undefined) throw new Error('Nothing was restored.');
    return restored;
  });
}

export async function walFolderOf(source: string, product: string): Promise<string> {
  const found = await stat(source).catch(() => undefined);
  if (found === undefined) throw new StartError(`There is no archive or folder ${source}.`);
  const folder = found.isDirectory() ? source : path.dirname(source);
  const inside = path.basename(path.dirname(folder)) === `${product}-wal`;
  return inside ? path.dirname(folder) : walFolder(folder, product);
}

/** @returns the newest base that leads to the moment, and the segments until it */
async function choose(folder: string, to: Date): Promise<{ base: Base; chain: Segment[] }> {
  const runs = await readRuns(folder);
  const candidates = runs
    .flatMap((run) => run.bases.map((base) => ({ run, base })))
    .filter(({ base }) => base.endedAt <= to)
    .sort((a, b) => +b.base.endedAt - +a.base.endedAt);
  for (const { run, base } of candidates) {
    const { chain } = findChain(run, base);
    const last = await firstBeyond(chain, to);
    if (last !== undefined) return { base, chain: chain.slice(0, last + 1) };
  }
  throw new StartError(await refusal(folder, runs, to));
}

/** @returns the place of the first segment that reaches beyond the moment; they reach ever later */
async function firstBeyond(chain: Segment[], to: Date): Promise<number | undefined> {
  let low = 0;
  let high = chain.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const segment = chain[middle];
    if (segment !== undefined && (await readReach(segment)) > to) high = middle;
    else low = middle + 1;
  }
  return low < chain.length ? low : undefined;
}

async function refusal(folder: string, runs: Run[], to: Date): Promise<string> {
  const ranges = await listRanges(runs);
  const gap = findGap(runs, to);
  if (ranges.length === 0 && gap === '') {
    return `There is nothing in ${folder} for a restore to a point in time. It is made by a server with BACKUP_WAL=on.`;
  }
  const times = ranges.map(
    ({ from, until }) => `from ${from.toISOString()} to before ${until.toISOString()}`,
  );
  const possible = times.length === 0 ? '' : ` The possible times are ${times.join(', and ')}.`;
  return `${gap}${to.toISOString()} can't be restored.${possible} Nothing was changed.`;
}

/** @returns a sentence about the segment that is missing on the way to the moment, or nothing */
function findGap(runs: Run[], to: Date): string {
  for (const run of runs.toReversed()) {
    const base = run.bases.filter(({ endedAt }) => endedAt <= to).at(-1);
    if (base === undefined) continue;
    const missing = missingSegment(run, findChain(run, base).next);
    if (missing !== undefined) return `${missing} is missing. `;
  }
  return '';
}

export class Loader {
  readonly objects = new Set<string>();
  readonly #derive: Derive = rememberKeys();

  constructor(
    private readonly folder: string,
    private readonly blobs: BlobStore,
    private readonly options: Pick<TimeOptions, 'passphrase' | 'product' | 'signal'>,
  ) {}

  /** @returns what the file's manifest lists @throws StartError */
  async load(file: string): Promise<EntryRecord[]> {
    const { passphrase, product, signal } = this.options;
    const take = (header: EntryHeader, data: AsyncGenerator<Buffer>) => this.#take(header, data);
    try {
      const place = openFolder(path.dirname(file));
      const archive = { place, name: path.basename(file), passphrase };
      const { header, entries } = await readArchive(archive, take, signal, this.#derive);
      requireProduct(header, product);
      return entries;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      throw new StartError(`${file}: ${error.message}`, { cause: error });
    }
  }

  async #take(header: EntryHeader, data: AsyncGenerator<Buffer>): Promise<void> {
    if (header.kind === 'wal') {
      await replaceFile(path.join(this.folder, 'postgres', 'pg_wal', header.segment), data);
    }
    if (header.kind === 'blob') {
      await this.blobs.write(header.id, Readable.from(data));
      this.objects.add(header.id);
    }
    if (header.kind !== 'file') return;
    const target = path.join(this.folder, header.path);
    if (header.path.endsWith('/')) await mkdir(target, { recursive: true, mode: 0o700 });
    else await replaceFile(target, data);
  }
}

/**
 * Lets PostgreSQL replay the segments in its folder, and starts it.
 * @param to undefined for all that they have
 * @param work runs before it is stopped
 * @returns how many objects the database names that are in no backup
 */
export async function recover(
  folder: string,
  to: Date | undefined,
  objects: Set<string>,
  work: (client: pg.Client) => Promise<void> = async () => {},
): Promise<number> {
  const dir = path.join(folder, 'postgres');
  // Files of a process that does not exist here.
  await rm(path.join(dir, 'postmaster.pid'), { force: true });
  await writeFile(path.join(dir, 'recovery.signal'), '');
  const cluster = await startCluster({
    dataDir: folder,
    startLimitMs: RECOVERY_LIMIT_MS,
    settings: {
      // Before it runs, PostgreSQL knows no letters for zones.
      ...(to && {
        recovery_target_time: to.toISOString().replace('Z', '+00'),
        recovery_target_action: 'promote',
      }),
      recovery_target_timeline: 'current',
      // All segments are in pg_wal, where PostgreSQL looks when the command fails.
      restore_command: 'exit 1',
      // Connections are accepted when recovery has ended.
      hot_standby: 'off',
      max_wal_size: '4GB',
    },
  });
  try {
    return await withClient(cluster.connection, async (client) => {
      await work(client);
      if (!(await hasTable(client, 'storage.unused_blobs'))) return 0;
      await client.query(
        `insert into storage.unused_blobs (version) select v from unnest($1::text[]) v
         where not exists (select from storage.objects o where o.version = v) on conflict do nothing`,
        [[...objects]],
      );
      const { rows } = await client.query<{ missing: number }>(
        `select count(*)::int as missing from storage.objects where version is not null and version <> all ($1::text[])`,
        [[...objects]],
      );
      return rows[0]?.missing ?? 0;
    });
  } finally {
    await cluster.stop();
  }
}
