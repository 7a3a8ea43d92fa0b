import { expect, test, vi } from 'vitest';
import { spawnAs } from './programs.ts';

test.runIf(process.platform !== 'win32')('PostgreSQL gets none of our secrets', async () => {
  vi.stubEnv('BACKUP_PASSPHRASE', 'of the backups');
  vi.stubEnv('TZ', 'Africa/Monrovia');
  const child = spawnAs(undefined, 'env', [], { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/' });
  vi.unstubAllEnvs();
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  expect(output).toContain('TZ=Africa/Monrovia');
  expect(output).toContain('LC_ALL=C');
  expect(output).not.toContain('PASSPHRASE');
});
