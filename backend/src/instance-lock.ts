// One server per DATA_DIR: a lock file names its process.
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isAlive, readBirth } from './processes.ts';
import { StartError } from './start-error.ts';

export const LOCK_FILE = 'server.lock';

const Holder = z.object({ pid: z.number(), birth: z.string(), url: z.string().optional() });

async function holderOf(file: string): Promise<z.infer<typeof Holder> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    // Truncated by a power failure: no process has it.
    return undefined;
  }
}

function refuse(dataDir: string, code: string | undefined): never {
  if (code === 'ENOSPC') {
    throw new StartError('The disk is full. Free some space and start again; nothing is lost.');
  }
  throw new StartError(
    `DATA_DIR ${dataDir} can't be written (${code}). Give this account write access to it, or set DATA_DIR to another folder.`,
  );
}

const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * The lock appears with its content: one that is still empty would look like a truncated one to another start.
 * @throws EEXIST when there is one
 */
async function create(file: string, content: string): Promise<void> {
  const own = `${file}.${process.pid}`;
  await writeFile(own, content, { mode: 0o600 });
  try {
    await link(own, file).catch((error: NodeJS.ErrnoException) => {
      if (!WITHOUT_LINKS.has(error.code ?? '')) throw error;
      return writeFile(file, content, { flag: 'wx', mode: 0o600 });
    });
  } finally {
    await rm(own, { force: true });
  }
}

export interface DataDirLock {
  release(): Promise<void>;
  /** Adds the server's address, for what another start says. */
  announce(url: string): Promise<void>;
}

/**
 * Locks DATA_DIR for this process. Takes over the lock of a killed server.
 * @throws StartError if another server runs on it, or it can't be written
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const file = path.join(dataDir, LOCK_FILE);
  await mkdir(dataDir, { recursive: true }).catch((error: NodeJS.ErrnoException) =>
    refuse(dataDir, error.code),
  );
  const mine = { pid: process.pid, birth: await readBirth(process.pid) };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await create(file, JSON.stringify(mine));
      return {
        release: () => rm(file, { force: true }),
        announce: async (url) => {
          const own = `${file}.${process.pid}`;
          await writeFile(own, JSON.stringify({ ...mine, url }), { mode: 0o600 });
          await rename(own, file);
        },
      };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') refuse(dataDir, code);
    }
    const holder = await holderOf(file);
    if (holder && isAlive(holder.pid) && (await readBirth(holder.pid)) === holder.birth) {
      const at = holder.url === undefined ? '' : ` at ${holder.url}`;
      throw new StartError(
        `Another server (process ${holder.pid}) is running on ${dataDir}${at}. Stop it first, or set DATA_DIR and PORT to start a second one.`,
      );
    }
    await rm(file, { force: true });
  }
  throw new StartError(`${file} keeps appearing: another server is starting on ${dataDir}.`);
}
