// Runs a TypeScript script of ours: node scripts/run.mjs scripts/gen-types.ts [arguments]
import { spawnSync } from 'node:child_process';
import { ensureInstalled, main, ROOT } from './setup.mjs';

/** They run on a server, which has the packages for running only. */
const OPERATOR_COMMANDS = [
  'scripts/admin-create.ts',
  'scripts/backup.ts',
  'scripts/upgrade-postgres.ts',
];

// Arguments may have a secret, and other users of the machine see them.
const args = ['--import', 'tsx', ...process.argv.slice(2)];
process.title = 'node';

await main(async () => {
  await ensureInstalled(OPERATOR_COMMANDS.includes(args[2]) ? 'running' : 'all');
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
