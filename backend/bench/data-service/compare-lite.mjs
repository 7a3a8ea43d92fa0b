// Installs @supabase/lite in its own folder and starts it on the measured database; for comparison only.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '0.10.0';

/** @returns {Promise<{ port: number, stop: () => void } | undefined>} undefined if it can't be installed */
export async function startLite(parent, { url, claims }) {
  const folder = path.join(parent, 'lite');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  try {
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', `@supabase/lite@${VERSION}`, 'postgres@3'],
      {
        cwd: folder,
        timeout: 180_000,
      },
    );
  } catch {
    return undefined;
  }
  const child = fork(path.join(import.meta.dirname, 'lite.mjs'), [folder, url, claims], {
    silent: true,
  });
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof message !== 'object') return undefined;
  return { port: message.port, stop: () => child.kill() };
}
