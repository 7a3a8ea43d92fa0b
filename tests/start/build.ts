// The start tests run the built program.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

export default function build(): void {
  const args = ['--input-type=module', '-e', "(await import('./scripts/setup.mjs')).ensureBuilt()"];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed.');
}
