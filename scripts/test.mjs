// npm test: checks, unit tests and the everyday part of the others (tests/README.md). npm run test:long: all that npm test leaves out.
// --all: every test, once. With words: the tests that they mean.
import { ensureTestChromium, versionOf } from './chromium.mjs';
import {
  DATABASE,
  everydayFiles,
  printTotals,
  runChecks,
  runPlaywright,
  runVitest,
} from './runners.mjs';
import { ensureBuilt, ensureInstalled, main, SetupError, say } from './setup.mjs';
import { runBrowsers } from './test-browsers.mjs';
import { fillDemo, withServers } from './test-server.mjs';
import { findTests } from './test-words.mjs';

const LONG = ['long', 'backend-long', 'start', 'simulation'];
const TAG = '@everyday';

/** So that a failed journey can show what its server did. */
const SERVER_ENV = { LOG_LEVEL: 'info' };

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
      const work = (servers) => runPlaywright({ servers, chromium, ...chosen });
      return withServers(2, work, { filled, env: SERVER_ENV });
    },
    /** In browsers that users have beside Chromium. */
    inOtherBrowsers: () => runBrowsers(() => demo.dataDir),
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
    await journeys.inOtherBrowsers(),
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
    await journeys.inOtherBrowsers(),
    await journeys.run({ projects: ['journeys', 'long'] }),
  ];
}

/** Prepares only what the chosen tests need. */
async function runWords(words) {
  const { vitest, journeys, title, searched } = findTests(words);
  const nothing = `No test matches: ${words.join(' ')}`;
  if (vitest.length + journeys.length === 0) {
    const where = searched.map((word) => `"${word}"`).join(' and ');
    throw new SetupError(`${nothing}\nNo test file has ${where} in its path or its text.`);
  }
  const totals = [];
  if (vitest.length > 0) totals.push(await runVitest({ files: vitest, title }));
  if (journeys.length > 0) {
    const chromium = await ensureTestChromium();
    const projects = ['journeys', 'long'];
    const work = (servers) =>
      runPlaywright({ servers, chromium, projects, files: journeys, title });
    totals.push(await withServers(1, work, { env: SERVER_ENV }));
  }
  if (totals.every(({ passed, failed }) => passed + failed === 0)) {
    throw new SetupError(
      `${nothing}\nThe words are in ${[...vitest, ...journeys].join(', ')}, but not in a title.`,
    );
  }
  return totals;
}

async function runParts(args) {
  const chromium = await ensureTestChromium();
  await ensureBuilt();
  const run = args.includes('--all') ? runAll : args.includes('--long') ? runRest : runEveryday;
  const journeys = browserJourneys(chromium);
  return run(journeys).finally(journeys.cleanUp);
}

await main(async () => {
  await ensureInstalled();
  const args = process.argv.slice(2);
  const words = args.filter((word) => !word.startsWith('--'));
  const totals = await (words.length > 0 ? runWords(words) : runParts(args));
  printTotals(totals);
});
