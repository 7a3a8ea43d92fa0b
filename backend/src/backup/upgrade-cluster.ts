// Carries the embedded database over to a newer major version of PostgreSQL, whose data files differ.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ClientConfig, escapeLiteral } from 'pg';
import type { Config } from '../config.ts';
import { startCluster } from '../database/embedded/cluster.ts';
import { clusterVersion, readPassword, UPGRADING } from '../database/embedded/data-directory.ts';
import { type Binaries, findBinaries } from '../database/embedded/programs.ts';
import { findApplied } from '../database/prepare.ts';
import { withClient } from '../database/with-client.ts';
import { lockDataDir } from '../instance-lock.ts';
import { openDisk, syncFolder } from '../services/storage/blobs/blob-store.ts';
import { StartError } from '../start-error.ts';
import { createBackup } from './create-backup.ts';
import { explain } from './explain.ts';
import { openFolder } from './folder-place.ts';
import { loadArchive } from './load-archive.ts';
import { type Archive, checkArchive, type Manifest } from './read-archive.ts';
import { type RestoreOptions, withCluster } from './restore.ts';
import { compareAll } from './verify.ts';

interface UpgradeOptions extends Omit<RestoreOptions, 'source' | 'passphrase' | 'config'> {
  config: Pick<Config, 'dataDir' | 'projectDir'>;
  /** Finds the programs of the PostgreSQL that made the database. @throws StartError */
  findOld: (major: string) => Promise<Binaries>;
}

export interface Upgraded {
  from: string;
  to: string;
  /** Absolute path of the old database. */
  setAside: string;
  /** Undefined after an interruption, when the copy was complete already. */
  manifest?: Manifest;
}

/**
 * Copies the database with the old PostgreSQL into a new one, compares every row, and swaps the two folders.
 * Files and keys stay where they are.
 * @returns undefined if the database needs no upgrade
 * @throws StartError; until the swap nothing has changed
 */
export async function upgradeCluster(options: UpgradeOptions): Promise<Upgraded | undefined> {
  const { dataDir } = options.config;
  const dir = path.join(dataDir, 'postgres');
  const unfinished = path.join(dataDir, UPGRADING);
  return explain(dataDir, async () => {
    const { major: to } = await findBinaries();
    const from = await clusterVersion(dir);
    if (from === undefined) return finishSwap(dataDir, to);
    if (from === to) return undefined;
    if (Number(from) > Number(to)) {
      throw new StartError(
        `The database in ${dir} was made by PostgreSQL ${from}, which is newer than version ${to} of this program. Install the version of the program that made it, or a newer one.`,
      );
    }
    const lock = await lockDataDir(dataDir);
    try {
      await rm(unfinished, { recursive: true, force: true });
      const manifest = await copy(options, unfinished, await options.findOld(from));
      return { ...(await swap(dataDir, from, to)), manifest };
    } catch (error) {
      // After the first rename of the swap it is the only copy in place.
      if ((await clusterVersion(dir)) !== undefined)
        await rm(unfinished, { recursive: true, force: true });
      throw error;
    } finally {
      await lock.release();
    }
  });
}

async function copy(options: UpgradeOptions, folder: string, old: Binaries): Promise<Manifest> {
  const { config, product, sourceDir, progress, signal } = options;
  const { dataDir, projectDir } = config;
  await mkdir(folder);
  progress(`Reading the database with PostgreSQL ${old.major}`);
  // Stays empty: stored objects are not touched.
  const blobs = await openDisk(path.join(folder, 'storage'));
  const passphrase = randomBytes(24).toString('base64url');
  const cluster = await startCluster({ dataDir, binaries: old });
  const place = openFolder(folder);
  const { name } = await createBackup({
    connection: cluster.connection,
    dataDir,
    blobs,
    leavesOutFiles: true,
    place,
    passphrase,
    product,
    isScheduled: false,
    signal,
  }).finally(() => cluster.stop());
  const archive: Archive = { place, name, passphrase };
  const manifest = await checkArchive(archive, product, signal);
  const files = await findApplied({ sourceDir, projectDir }, manifest.applied);
  await withCluster(folder, async (connection) => {
    progress('Writing it with the new version');
    const destination = { connection, blobs, folder };
    await loadArchive(archive, destination, files, signal);
    progress('Comparing every row');
    await compareAll(manifest, destination, signal);
    await setPassword(connection, await readPassword(dataDir));
  });
  return manifest;
}

/** The old password stays in keys/postgres-password, so that one rename makes the swap complete. */
async function setPassword(connection: ClientConfig, password: string): Promise<void> {
  await withClient(connection, (client) =>
    client.query(`alter role postgres password ${escapeLiteral(password)}`),
  );
}

async function swap(dataDir: string, from: string, to: string): Promise<Upgraded> {
  const setAside = await freeName(dataDir, `postgres-${from}`);
  await rename(path.join(dataDir, 'postgres'), setAside);
  await takePlace(dataDir);
  return { from, to, setAside };
}

async function takePlace(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, UPGRADING);
  await rename(path.join(folder, 'postgres'), path.join(dataDir, 'postgres'));
  await syncFolder(dataDir);
  await rm(folder, { recursive: true, force: true });
}

async function freeName(dataDir: string, wanted: string): Promise<string> {
  const names = await readdir(dataDir);
  let name = wanted;
  for (let n = 2; names.includes(name); n += 1) name = `${wanted}-${n}`;
  return path.join(dataDir, name);
}

/** Only a swap that was killed between its two renames leaves a finished copy and no database. */
async function finishSwap(dataDir: string, to: string): Promise<Upgraded> {
  if ((await clusterVersion(path.join(dataDir, UPGRADING, 'postgres'))) === undefined) {
    throw new StartError(
      `There is no database in ${dataDir}. Set DATA_DIR as for npm start. PostgreSQL at DATABASE_URL is upgraded with its own tools.`,
    );
  }
  const lock = await lockDataDir(dataDir);
  try {
    const names = (await readdir(dataDir)).filter((name) => /^postgres-\d+(-\d+)?$/.test(name));
    await takePlace(dataDir);
    const name = names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? '';
    return { from: name.split('-')[1] ?? '', to, setAside: path.join(dataDir, name) };
  } finally {
    await lock.release();
  }
}
