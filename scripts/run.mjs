// Runs a TypeScript script of ours: node scripts/run.mjs scripts/gen-types.ts [arguments]
import { spawnSync } from 'node:child_process';
import { ensureInstalled, main, ROOT } from './setup.mjs';

// Arguments may have a secret, and other users of the machine see them.
const args = ['--import', 'tsx', ...process.argv.slice(2)];
process.title = 'node';

await main(async () => {
  await ensureInstalled();
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
