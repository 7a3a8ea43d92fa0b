import pg from 'pg';
import { StartError } from '../start-error.ts';

const DISK_FULL = '53100';
const SHUTDOWN = '57P01';
const NO_SPACE = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * Runs a step of a backup or restore; says in a sentence what its operator can fix.
 * @param folder that it writes to
 * @throws StartError for a full disk, missing rights and a lost database; other errors unchanged
 */
export async function explain<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sentence(error, folder) ?? error;
  }
}

function sentence(error: unknown, folder: string): StartError | undefined {
  if (error instanceof pg.DatabaseError) return databaseSentence(error, folder);
  // Tables are made by migrations, which have a sentence of their own.
  if (error instanceof StartError) {
    const { cause } = error;
    const isFull = cause instanceof pg.DatabaseError && cause.code === DISK_FULL;
    return isFull ? full(folder, error) : undefined;
  }
  const { code, path: file, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && error instanceof Error && '$metadata' in error) {
    return new StartError(
      `The object store of the files stopped answering (${code}). Nothing was changed: try again.`,
      { cause: error },
    );
  }
  if (code === 'ECONNRESET' || message === 'Connection terminated unexpectedly') {
    return stopped(error);
  }
  if (code !== undefined && NO_SPACE.includes(code)) return full(folder, error);
  if (
    code === 'EACCES' ||
    code === 'EPERM' ||
    code === 'EROFS' ||
    code === 'ENOTDIR' ||
    code === 'EEXIST'
  ) {
    return new StartError(
      `${file ?? folder} can't be used (${code}). Name a folder that this account may write to. Nothing was changed.`,
      { cause: error },
    );
  }
  return undefined;
}

function databaseSentence(error: pg.DatabaseError, folder: string): StartError | undefined {
  if (error.code === DISK_FULL) return full(folder, error);
  if (error.code === SHUTDOWN) return stopped(error);
  if (error.code === '42501') {
    return new StartError(
      `The database account has too few rights: ${error.message}. Use the owner of the database, or a superuser.`,
      { cause: error },
    );
  }
  return undefined;
}

const stopped = (cause: unknown): StartError =>
  new StartError('The database was stopped before this was done. Nothing was changed: try again.', {
    cause,
  });

const full = (folder: string, cause: unknown): StartError =>
  new StartError(
    `The disk of ${folder} is full. Nothing was changed and nothing half done is left. Free some space, or name a folder on another disk.`,
    { cause },
  );
