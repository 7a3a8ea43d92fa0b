// npm test: checks, unit tests and the everyday part of the others (tests/README.md). npm run test:long: all that npm test leaves out.
// --all: every test, once.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureTestChromium, versionOf } from './chromium.mjs';
import { runChecks, runPlaywright, runVitest } from './runners.mjs';
import { ensureBuilt, ensureInstalled, main, ROOT, SetupError, say } from './setup.mjs';
import { runBrowsers } from './test-browsers.mjs';
import { fillDemo, withServers } from './test-server.mjs';

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

/** The journeys; `prepare` fills their demo company beside the parts that run before them. */
function browserJourneys(chromium) {
  let demo;
  return {
    prepare() {
      demo = fillDemo();
    },
    async run(chosen) {
      const filled = await demo.dataDir;
      say(`Browser journeys in ${versionOf(chromium)}`);
      return withServers(2, (servers) => runPlaywright({ servers, chromium, ...chosen }), filled);
    },
    runOthers: async () => withServers(2, runBrowsers, await demo.dataDir),
    cleanUp: async () => demo?.remove(),
  };
}

async function runEveryday(journeys) {
  journeys.prepare();
  return [
    await runChecks(),
    await runVitest({ projects: ['unit'] }),
    await runVitest({ projects: DATABASE, files: everydayFiles() }),
    await journeys.run({ projects: ['journeys'], tag: TAG }),
  ];
}

async function runRest(journeys) {
  const exceptFiles = everydayFiles();
  const database = await runVitest({ projects: DATABASE, exceptFiles });
  // Not earlier: the demo's records are dated from when it was filled.
  journeys.prepare();
  return [
    database,
    await runVitest({ projects: LONG }),
    await journeys.run({ projects: ['journeys', 'long'], exceptTag: TAG }),
  ];
}

async function runAll(journeys) {
  const checks = await runChecks();
  const short = await runVitest({ projects: ['unit', ...DATABASE] });
  journeys.prepare();
  return [
    checks,
    short,
    await runVitest({ projects: LONG }),
    await journeys.run({ projects: ['journeys', 'long'] }),
    await journeys.runOthers(),
  ];
}

await main(async () => {
  await ensureInstalled();
  const chromium = await ensureTestChromium();
  await ensureBuilt();
  const runParts = process.argv.includes('--all')
    ? runAll
    : process.argv.includes('--long')
      ? runRest
      : runEveryday;
  const journeys = browserJourneys(chromium);
  const totals = await runParts(journeys).finally(journeys.cleanUp);

  const passed = totals.reduce((sum, part) => sum + part.passed, 0);
  const failed = totals.reduce((sum, part) => sum + part.failed, 0);
  // Repeated at the end, where it is easy to find.
  for (const failure of totals.flatMap(({ failures }) => failures))
    console.log(`\nFailed: ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
