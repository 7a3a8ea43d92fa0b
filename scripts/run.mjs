// Runs a TypeScript script of ours: node scripts/run.mjs scripts/gen-types.ts [arguments]
import { ensureInstalled, main, run } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  await run(process.execPath, ['--import', 'tsx', ...process.argv.slice(2)], { show: true });
});
