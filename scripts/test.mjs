// npm test: checks, units, database, services, browser journeys. npm run test:long: what is rare and slow. --all runs both.

import { ensureTestChromium, versionOf } from './chromium.mjs';
import { runChecks, runPlaywright, runVitest } from './runners.mjs';
import { ensureBuilt, ensureInstalled, main, say } from './setup.mjs';
import { withServers } from './test-server.mjs';

const isAll = process.argv.includes('--all');
const isLong = isAll || process.argv.includes('--long');
const isShort = isAll || !isLong;

await main(async () => {
  await ensureInstalled();
  const chromium = await ensureTestChromium();
  await ensureBuilt();
  const totals = [];
  if (isShort)
    totals.push(await runChecks(), await runVitest(['unit', 'policies', 'api', 'backend']));
  if (isLong) totals.push(await runVitest(['long', 'backend-long', 'start']));
  say(`Browser journeys in ${versionOf(chromium)}`);
  const projects = [...(isShort ? ['journeys'] : []), ...(isLong ? ['long'] : [])];
  totals.push(await withServers(2, (servers) => runPlaywright({ servers, chromium, projects })));

  const passed = totals.reduce((sum, part) => sum + part.passed, 0);
  const failed = totals.reduce((sum, part) => sum + part.failed, 0);
  // Repeated at the end, where it is easy to find.
  for (const failure of totals.flatMap(({ failures }) => failures))
    console.log(`\nFailed: ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
