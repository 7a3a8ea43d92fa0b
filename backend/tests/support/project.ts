// Projects with changed settings in `supabase/config.toml`.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUp } from './clean-up.ts';

const STARTER = path.resolve(import.meta.dirname, '..', 'projects', 'starter');

/**
 * @param settings `key = value` lines by key, each of which config.toml contains exactly once
 * @param more lines appended to config.toml, for example a missing table
 * @param origin folder of the project to copy
 * @returns PROJECT_DIR for a test server, removed after the file's tests
 */
export async function projectWith(
  settings: Record<string, string | number>,
  more = '',
  origin = STARTER,
): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'test-project-'));
  cleanUp(() => rm(dir, { recursive: true, force: true }));
  await cp(path.join(origin, 'supabase'), path.join(dir, 'supabase'), { recursive: true });
  const file = path.join(dir, 'supabase', 'config.toml');
  let text = await readFile(file, 'utf8');
  for (const [key, value] of Object.entries(settings)) {
    const line = new RegExp(`^${key} = .*$`, 'm');
    if (!line.test(text)) throw new Error(`config.toml has no line for ${key}.`);
    text = text.replace(line, `${key} = ${value}`);
  }
  await writeFile(file, `${text}\n${more}\n`);
  return dir;
}
