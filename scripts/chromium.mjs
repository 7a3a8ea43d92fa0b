// Finds a Chromium for the browser tests: an installed one, else Playwright's own, else Debian's package.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installPackages } from './debian-packages.mjs';
import { run, SetupError, step } from './setup.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The same engine without windows: a new browser context with a screen of the office takes 0.8 s of CPU instead of 2.1 s. */
const WITHOUT_WINDOW = 'chromium-headless-shell';
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

function installed(names = NAMES) {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...places, MAC].find((place) => existsSync(place));
}

async function playwrightOwn() {
  const { chromium } = await import('@playwright/test');
  const place = chromium.executablePath();
  return existsSync(place) ? place : undefined;
}

/** @returns {Promise<string | undefined>} path of its executable */
async function debianPackage(name) {
  return (await installPackages(name, [name])) ? installed([name]) : undefined;
}

/**
 * For browser tests. Measurements use the full browser, as users do.
 * @returns {Promise<string>} path of the browser executable
 */
export async function ensureTestChromium() {
  return (
    installed([WITHOUT_WINDOW]) ??
    // Without it the tests only take longer.
    (await debianPackage(WITHOUT_WINDOW).catch(() => undefined)) ??
    (await ensureChromium())
  );
}

/** @returns {Promise<string>} path of the browser executable */
export async function ensureChromium() {
  const present = installed() ?? (await playwrightOwn());
  if (present) return present;
  const cli = 'node_modules/@playwright/test/cli.js';
  await step('Downloading Chromium for the browser tests', () =>
    run(process.execPath, [cli, 'install', 'chromium']),
  ).catch(() => {});
  const found = (await playwrightOwn()) ?? (await debianPackage('chromium'));
  if (found) return found;
  throw new SetupError(
    'No Chromium for the browser tests. Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  );
}

/** @returns {string} for the report */
export function versionOf(chromium) {
  return execFileSync(chromium, ['--version'], { encoding: 'utf8' }).trim();
}
