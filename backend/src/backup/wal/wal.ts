// For restores to a point in time, the server saves segments all the time and a base now and then.

import path from 'node:path';
import type { Pool } from 'pg';
import { Rounds } from '../../rounds.ts';
import type { BackupOptions } from '../create-backup.ts';
import { createBase } from './create-base.ts';
import { closeRun, openRun } from './run.ts';
import {
  findChain,
  listRanges,
  type Range,
  readRun,
  readRuns,
  removeOldRuns,
  walFolder,
} from './wal-folder.ts';
import { WalReceiver } from './wal-receiver.ts';

const AGAIN_MS = 15_000;

interface WalOptions
  extends Pick<BackupOptions, 'connection' | 'dataDir' | 'blobs' | 'passphrase' | 'product'> {
  owner: Pool;
  /** Absolute path of the folder of archives. */
  backups: string;
  everyHours: number;
  /** How many bases stay, with everything after the oldest. */
  keep: number;
  onError: (error: unknown) => void;
}

export interface SavedWal {
  start(): void;
  /** The moment until which changes are saved; undefined before the first ones are. */
  reach(): Date | undefined;
  /** @throws StartError */
  baseIfDue(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export function openWal(options: WalOptions): SavedWal {
  const { owner, backups, product, everyHours, keep, onError } = options;
  const folder = walFolder(backups, product.name);
  const { signal } = new AbortController();
  const receiver = new WalReceiver({ ...options, folder, signal });
  let isStopping = false;
  const rounds = new Rounds(() => receiver.run(), {
    everyMs: 0,
    afterErrorMs: AGAIN_MS,
    onError: (error) => {
      if (!isStopping) onError(error);
    },
  });
  return {
    start: () => rounds.start(0),
    reach: () => receiver.reach,
    baseIfDue: async (stopping) => {
      const { name } = await openRun(owner);
      const current = path.join(folder, name);
      if (!(await isDue(current, everyHours))) return;
      await createBase({ ...options, folder: current, signal: stopping });
      await removeOldRuns(folder, current, keep);
    },
    stop: async () => {
      isStopping = true;
      await receiver.stop();
      await rounds.stop();
    },
  };
}

export { closeRun as releaseWal };

/** @param backups absolute path of the folder of archives; @returns what can be restored, oldest first */
export async function restorableRanges(backups: string, product: string): Promise<Range[]> {
  return listRanges(await readRuns(walFolder(backups, product)));
}

/** Also if segments are missing since the last one: the next restore must not depend on them. */
async function isDue(folder: string, everyHours: number): Promise<boolean> {
  const run = await readRun(folder);
  const base = run.bases.at(-1);
  if (base === undefined) return true;
  const { next } = findChain(run, base);
  const hasGap = run.segments.some(({ number }) => number > next);
  return hasGap || Date.now() - +base.endedAt > everyHours * 3_600_000;
}
