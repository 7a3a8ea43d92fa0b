// PostgreSQL refuses to run as root: as root (containers), its programs run under an unprivileged account.
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { chown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Present on every Linux; used where no `postgres` account exists. */
const NOBODY = { uid: 65534, gid: 65534 };

/**
 * Keeps one right of root's: to enter folders closed to others. PostgreSQL asks with access(2) whether it may run its own
 * programs, and access(2) forgets that right unless told not to (no_setuid_fixup).
 */
const KEEP_PASSING = [
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

export interface Account {
  uid: number;
  gid: number;
  /** Whether the programs keep the right to pass folders closed to others, such as /root. */
  passesClosedFolders: boolean;
}

async function unprivileged(): Promise<{ uid: number; gid: number }> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = passwd.split('\n').find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : NOBODY;
}

/** Whether every folder above the path lets others pass. */
async function isOpenToOthers(target: string): Promise<boolean> {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/**
 * @param paths files and folders that PostgreSQL must reach
 * @returns the account to run it as, or undefined to run it as the present one
 */
export async function accountFor(paths: string[]): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const open = await Promise.all(paths.map(isOpenToOthers));
  return { ...(await unprivileged()), passesClosedFolders: open.includes(false) };
}

/** Starts a program as the account. Nothing it was not handed by name is inherited from a caller's shell. */
export function spawnAs(
  account: Account | undefined,
  file: string,
  args: string[],
  options: { stdio: StdioOptions; cwd: string; env: NodeJS.ProcessEnv },
): ChildProcess {
  // Its own group: Ctrl-C in the terminal reaches us first, and we stop PostgreSQL in order.
  const common = { ...options, detached: process.platform !== 'win32' };
  if (account === undefined) return spawn(file, args, common);
  if (!account.passesClosedFolders) {
    return spawn(file, args, { ...common, uid: account.uid, gid: account.gid });
  }
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return spawn('setpriv', [...identity, ...KEEP_PASSING, file, ...args], common);
}

/** @returns why the account can't be used here, or undefined when it can */
export async function whyUnusable(account: Account | undefined): Promise<string | undefined> {
  if (!account?.passesClosedFolders) return undefined;
  return run('setpriv', [...KEEP_PASSING, 'true']).then(
    () => undefined,
    () =>
      "PostgreSQL does not run as root, and the account it would use can't enter this folder. Move the project to a folder that others may enter, or start it as an ordinary user.",
  );
}

/** Gives a folder and all in it to the account. */
export async function giveTo(account: Account | undefined, folder: string): Promise<void> {
  if (account === undefined) return;
  const { uid } = await stat(folder);
  if (uid === account.uid) return;
  const entries = await readdir(folder, { recursive: true });
  for (const entry of entries) await chown(path.join(folder, entry), account.uid, account.gid);
  await chown(folder, account.uid, account.gid);
}
