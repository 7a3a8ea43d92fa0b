// npm run check: types, lint and unit tests; the quick answer while working.
import { runChecks, runVitest } from './runners.mjs';
import { ensureInstalled, main } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  const checks = await runChecks();
  const units = await runVitest({ projects: ['unit'] });
  const failed = checks.failed + units.failed;
  console.log(`\n${checks.passed + units.passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
