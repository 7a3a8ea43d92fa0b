// npm start: installs what is missing, builds what changed, then runs the server.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { display } from './display.mjs';
import { isInstalled } from './installation.mjs';
import { ensureBuilt, ensureInstalled, INSTALLING, main, outdatedBuilds, ROOT } from './setup.mjs';
import {
  adviseNode,
  readSettings,
  refuseSecondServer,
  requireFreePort,
  requireSpace,
  requireWritable,
} from './start-checks.mjs';
import { releaseStartUpMemory } from './start-memory.mjs';
import { BUILD, DATABASE, DEMO, PACKAGES } from './start-sizes.mjs';

/** As the server names its steps on a new database. */
const DATABASE_STEP = 'Creating the database';
const DEMO_STEP = 'Loading the demo company';

/** Refuses what can't work, and says what is going to happen. */
async function prepare(installs, builds) {
  const settings = readSettings(process.env);
  const { dataDir, port, isEmbedded, isDemo } = settings;
  refuseSecondServer(settings);
  if (port !== 0) await requireFreePort(settings);
  requireWritable({ dataDir, changesClone: installs || builds.length > 0 });
  const isNew = isEmbedded && !existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'));
  const packages = installs ? PACKAGES.disk : 0;
  const data = isNew ? DATABASE + (isDemo ? DEMO : 0) : 0;
  await requireSpace([
    { folder: ROOT, megabytes: packages + (builds.length > 0 ? BUILD : 0) },
    { folder: dataDir, megabytes: data },
  ]);
  adviseNode(display.say);
  if (installs) {
    display.say(
      `Packages: ${PACKAGES.download} MB to download unless npm has them, ${packages} MB on disk.`,
    );
  }
  display.plan([
    ...(installs ? [INSTALLING] : []),
    ...builds.map(({ label }) => label),
    ...(isNew ? [DATABASE_STEP, ...(isDemo ? [DEMO_STEP] : [])] : []),
  ]);
}

await main(async () => {
  const words = process.argv.slice(2);
  const builds = outdatedBuilds();
  // Words are for commands, which run beside a server.
  if (words.length === 0) await prepare(!isInstalled('running'), builds);
  await ensureInstalled('running');
  await ensureBuilt(builds);
  const server = await import(pathToFileURL(path.join(ROOT, 'dist', 'server', 'main.js')).href);
  await server.main(ROOT, words, display);
  releaseStartUpMemory();
});
