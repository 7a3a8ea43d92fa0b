// npm test: everything, from a fresh clone: checks, units, policies, services, start-up, browser journeys.
import { runChecks } from './checks.mjs';
import { ensureTestChromium, versionOf } from './chromium.mjs';
import { runPlaywright, runVitest } from './runners.mjs';
import { ensureBuilt, ensureInstalled, main, say } from './setup.mjs';
import { withServers } from './test-server.mjs';

await main(async () => {
  await ensureInstalled();
  const chromium = await ensureTestChromium();
  await ensureBuilt();
  const totals = [await runChecks(), await runVitest(['unit', 'policies', 'api', 'start'])];
  say(`Browser journeys in ${versionOf(chromium)}`);
  totals.push(await withServers(2, (servers) => runPlaywright({ servers, chromium })));

  const passed = totals.reduce((sum, part) => sum + part.passed, 0);
  const failed = totals.reduce((sum, part) => sum + part.failed, 0);
  // Repeated at the end, where it is easy to find.
  for (const failure of totals.flatMap(({ failures }) => failures))
    console.log(`\nFailed: ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
