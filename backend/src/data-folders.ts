// Folders of DATA_DIR that can't be used: a sentence for the operator at the start, instead of errors in every request.
import { constants, lstatSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from './start-error.ts';

/** Creates the folder if it is missing. @throws a system error unless this account can read and write it */
export async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireAccess(folder);
}

/** @throws a system error unless the folder is missing, or this account can read and write it */
export async function requireUsable(folder: string): Promise<void> {
  // With a slash, a file in its place is refused.
  await requireAccess(`${folder}${path.sep}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

const requireAccess = (folder: string): Promise<void> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK);

/** @returns the file that is where `target` needs a folder */
function fileInTheWay(dataDir: string, target: string): string | undefined {
  let at = dataDir;
  for (const name of path.relative(dataDir, target).split(path.sep)) {
    at = path.join(at, name);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found?.isFile()) return at;
    if (!found?.isDirectory()) return undefined;
  }
  return undefined;
}

function explain(dataDir: string, target: string, code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return 'The disk is full. Free some space and start again; nothing is lost.';
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    const file = fileInTheWay(dataDir, target) ?? target;
    return `${file} is a file, where the server needs a folder. Move it away, or restore DATA_DIR from a backup.`;
  }
  if (/EISDIR/.test(code)) {
    return `${target} is a folder, where the server needs a file. Move it away, or restore DATA_DIR from a backup.`;
  }
  return `${target} can't be used (${code}). Give this account read and write access to it, or restore DATA_DIR from a backup.`;
}

/** @returns a StartError for a system error about something in DATA_DIR; any other error unchanged */
export function explainDamage(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const { code, path: target } = error as NodeJS.ErrnoException;
  if (code === undefined || target === undefined) return error;
  const inside = path.relative(dataDir, target);
  if (inside.startsWith('..') || path.isAbsolute(inside)) return error;
  return new StartError(explain(dataDir, path.normalize(target).replace(/[\\/]$/, ''), code), {
    cause: error,
  });
}
