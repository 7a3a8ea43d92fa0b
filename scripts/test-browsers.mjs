// npm run test:browsers: the steps of tests/browsers in WebKitGTK and Firefox. Without the browsers, installs Debian's packages, or
// says in one line what is missing.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from './debian-packages.mjs';
import { printTotals, runVitest } from './runners.mjs';
import { ensureBuilt, ensureInstalled, main, say } from './setup.mjs';
import { fillDemo, withServers } from './test-server.mjs';

const PROGRAMS = {
  firefox: ['firefox-esr', 'firefox'],
  webkit: ['WebKitWebDriver'],
  screen: ['Xvfb'],
};
const PACKAGES = ['firefox-esr', 'webkit2gtk-driver', 'xvfb'];

function installed(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
}

const findPrograms = () =>
  Object.fromEntries(Object.entries(PROGRAMS).map(([name, names]) => [name, installed(names)]));

const isComplete = (programs) => Object.values(programs).every((program) => program !== undefined);

/** @returns {Promise<{ firefox: string, webkit: string } | undefined>} paths of the programs, or undefined where they can't be installed */
async function ensureBrowsers() {
  const present = findPrograms();
  if (isComplete(present)) return present;
  await installPackages('Firefox and WebKitGTK', PACKAGES).catch((error) => say(error.message));
  const packaged = findPrograms();
  return isComplete(packaged) ? packaged : undefined;
}

/** @param {{ url: string, dataDir: string }[]} servers one for each browser */
function runSteps(servers, programs) {
  const all = (name) => servers.map((server) => server[name]).join(',');
  Object.assign(process.env, {
    FIREFOX_PATH: programs.firefox,
    WEBKIT_DRIVER_PATH: programs.webkit,
    E2E_BASE_URL: all('url'),
    E2E_DATA_DIR: all('dataDir'),
  });
  say('Steps in WebKit and Firefox');
  return runVitest({ projects: ['browsers'] });
}

/**
 * @param {() => Promise<string>} filled a data directory with the demo company
 * @returns {Promise<{ passed: number, failed: number, failures: string[] }>} nothing passed and nothing failed where the browsers are missing
 */
export async function runBrowsers(filled) {
  const programs = await ensureBrowsers();
  if (!programs) {
    say(`WebKit and Firefox not tested: needs the Debian packages ${PACKAGES.join(', ')}.`);
    return { passed: 0, failed: 0, failures: [] };
  }
  return withServers(2, (servers) => runSteps(servers, programs), { filled: await filled() });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await ensureInstalled();
    await ensureBuilt();
    const demo = fillDemo();
    printTotals([await runBrowsers(() => demo.dataDir).finally(demo.remove)]);
  });
}
