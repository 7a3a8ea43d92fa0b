// npm test: checks, unit tests and the everyday part of the others (tests/README.md). npm run test:long: all that npm test leaves out.
// --all: every test, once.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureTestChromium, versionOf } from './chromium.mjs';
import { runChecks, runPlaywright, runVitest } from './runners.mjs';
import { ensureBuilt, ensureInstalled, main, ROOT, SetupError, say } from './setup.mjs';
import { withServers } from './test-server.mjs';

const DATABASE = ['policies', 'api', 'backend'];
const LONG = ['long', 'backend-long', 'start'];
const TAG = '@everyday';

/** Test files with a database that `npm test` runs. */
function everydayFiles() {
  const files = JSON.parse(readFileSync(path.join(ROOT, 'tests/everyday.json'), 'utf8'));
  const missing = files.filter((file) => !existsSync(path.join(ROOT, file)));
  if (missing.length > 0)
    throw new SetupError(`tests/everyday.json names files that don't exist: ${missing.join(', ')}`);
  return files;
}

async function runEveryday(journeys) {
  return [
    await runChecks(),
    await runVitest({ projects: ['unit'] }),
    await runVitest({ projects: DATABASE, files: everydayFiles() }),
    await journeys({ projects: ['journeys'], tag: TAG }),
  ];
}

async function runRest(journeys) {
  return [
    await runVitest({ projects: [...DATABASE, ...LONG], exceptFiles: everydayFiles() }),
    await journeys({ projects: ['journeys', 'long'], exceptTag: TAG }),
  ];
}

async function runAll(journeys) {
  return [
    await runChecks(),
    await runVitest({ projects: ['unit', ...DATABASE] }),
    await runVitest({ projects: LONG }),
    await journeys({ projects: ['journeys', 'long'] }),
  ];
}

await main(async () => {
  await ensureInstalled();
  const chromium = await ensureTestChromium();
  await ensureBuilt();
  const journeys = (chosen) => {
    say(`Browser journeys in ${versionOf(chromium)}`);
    return withServers(2, (servers) => runPlaywright({ servers, chromium, ...chosen }));
  };
  const runParts = process.argv.includes('--all')
    ? runAll
    : process.argv.includes('--long')
      ? runRest
      : runEveryday;
  const totals = await runParts(journeys);

  const passed = totals.reduce((sum, part) => sum + part.passed, 0);
  const failed = totals.reduce((sum, part) => sum + part.failed, 0);
  // Repeated at the end, where it is easy to find.
  for (const failure of totals.flatMap(({ failures }) => failures))
    console.log(`\nFailed: ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
