// Our own project with other settings: what a test needs that is about a limit or a policy of `supabase/config.toml`.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUp } from './clean-up.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/**
 * @param settings `key = value` lines by key, each of which config.toml holds exactly once
 * @param more lines for the end of config.toml, for example a table that it lacks
 * @returns PROJECT_DIR for a test server; removed when the file's tests have ended
 */
export async function projectWith(
  settings: Record<string, string | number>,
  more = '',
): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'statesman-project-'));
  cleanUp(() => rm(dir, { recursive: true, force: true }));
  await cp(path.join(ROOT, 'supabase'), path.join(dir, 'supabase'), { recursive: true });
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
