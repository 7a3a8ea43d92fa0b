// Runs a TypeScript script of ours: node scripts/run.mjs scripts/gen-types.ts [arguments]
import { spawnSync } from 'node:child_process';
import { ensureInstalled, main, ROOT } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  const args = ['--import', 'tsx', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
