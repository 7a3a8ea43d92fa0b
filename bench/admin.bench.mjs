// The admin portal on a slow connection: sign-in, first load, each screen from click to rows, interaction to next paint, and
// heap growth over 200 screen changes. All of it takes ten minutes and more; `-- admin --only load` (or sign-in, screens, presses,
// heap) is one part.
import { median, milliseconds, seconds, table } from '../backend/bench/support/report.mjs';
import { SetupError } from '../scripts/setup.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { firstVisit } from './admin/first-visit.mjs';
import { change, entry, SCREENS, screens, watchRows } from './admin/screens.mjs';
import { slowPage } from './admin/slow-page.mjs';
import { withBrowser } from './browser.mjs';

const DESK = { width: 1280, height: 800 };
const CREDENTIALS = { email: 'admin@statesman.example', password: 'Statesman-Demo-1' };
const LOADS = 3;
const SCREEN_CHANGES = 200;
/** Records the time from each press to the next paint. */
function observe() {
  globalThis.presses = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.interactionId > 0) globalThis.presses.push(entry.duration);
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
}

async function signedIn(browser, url) {
  const context = await browser.newContext({ viewport: DESK });
  const page = await context.newPage();
  await page.goto(`${url}/auth`);
  await page.getByLabel('Email').fill(CREDENTIALS.email);
  await page.getByLabel('Password', { exact: true }).fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.locator('#sidebar').waitFor();
  await page.close();
  return context;
}

/** Presses of a supervisor's morning. @returns the 98th percentile of the time from press to next paint */
async function presses(context, url) {
  const { page } = await slowPage(context);
  await page.addInitScript(observe);
  await page.goto(`${url}/admin/shifts`);
  await page.locator('main tbody tr').filter({ visible: true }).first().waitFor();
  const all = [];
  const collect = async () =>
    all.push(...(await page.evaluate(() => globalThis.presses.splice(0))));
  for (let round = 0; round < 3; round += 1) {
    await page.getByRole('tab', { name: 'Week' }).click();
    await page.locator('main table').first().waitFor();
    await page.getByRole('tab', { name: 'Upcoming Shifts' }).click();
    await page.getByRole('button', { name: 'Create Shift' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Search shifts').pressSequentially('Atlantic');
    await page.getByLabel('Search shifts').fill('');
    // Typed text reaches the URL after a debounce.
    await page.waitForTimeout(1_000);
    await collect();
    await entry(page, 'Incidents').click();
    await page.locator('main tbody tr').filter({ visible: true }).first().waitFor();
    await page.getByLabel('Search incidents').pressSequentially('gate');
    await page.getByLabel('Search incidents').fill('');
    await page.waitForTimeout(1_000);
    await page.getByRole('button', { name: /^View/ }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await collect();
    await entry(page, 'Shifts').click();
    await page.locator('main tbody tr').filter({ visible: true }).first().waitFor();
  }
  await page.close();
  all.sort((a, b) => a - b);
  return { p98: all[Math.floor(all.length * 0.98)] ?? 0, count: all.length };
}

async function heap(session) {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Without compilers the heap holds only the app's data, not machine code, which levels off. */
const INTERPRETED = '--js-flags=--no-opt --no-maglev --no-sparkplug';

/** @returns {Promise<{ before: number, after: number }>} the heap after two rounds of all screens, and 200 changes later */
async function growth(browser, url) {
  const context = await signedIn(browser, url);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await watchRows(page);
  await page.goto(`${url}/admin`);
  for (const screen of [...SCREENS.slice(1), ...SCREENS]) await change(page, screen);
  const before = await heap(session);
  // The last screen is open: a press on its link would bring no new rows.
  for (let count = 0; count < SCREEN_CHANGES; count += 1) {
    await change(page, SCREENS[count % SCREENS.length]);
  }
  const last = SCREENS.at(-1);
  await change(page, SCREENS[0]);
  await change(page, last);
  return { before, after: await heap(session) };
}

const grown = ({ before, after }) =>
  `${(after / before).toFixed(2)} (${(after / 1e6).toFixed(1)} MB)`;

async function medianVisit(...visit) {
  const loads = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await firstVisit(...visit));
  return (name) => median(loads.map((load) => load[name]));
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

async function signInRows(context, url) {
  const visitor = await context.browser().newContext({ viewport: DESK });
  const of = await medianVisit(visitor, `${url}/auth`, 'form label');
  await visitor.close();
  return [
    ['sign-in: first contentful paint', 'under 1.5 s', seconds(of('paint'))],
    ['sign-in: its form readable', 'under 1.5 s', seconds(of('frame'))],
  ];
}

async function loadRows(context, url) {
  const of = await medianVisit(context, `${url}/admin`, 'main li h3, main li h2');
  return [
    ['first load: deployments on screen', 'under 2.5 s', seconds(of('ms'))],
    ['its JavaScript until then, compressed', 'under 260 kB', kilobytes(of('bytes'))],
    ['files of it', '-', String(of('files'))],
    ['busy time of the main thread until then', '-', milliseconds(of('task'))],
    ['JavaScript until the network is idle', '-', kilobytes(of('allBytes'))],
  ];
}

async function screenRows(context, url) {
  const shown = await screens(context, url);
  return shown.map(([name, ...rounds]) => [
    `${name}: from press to rows`,
    'under 500 ms',
    `${milliseconds(median(rounds))} (${rounds.map((ms) => ms.toFixed(0)).join(', ')})`,
  ]);
}

async function pressRows(context, url) {
  const { p98, count } = await presses(context, url);
  const what = `a press to the next picture, 98th percentile of ${count}`;
  return [[what, 'under 200 ms', milliseconds(p98)]];
}

async function heapRows(url) {
  const kept = await withBrowser((browser) => growth(browser, url), [INTERPRETED]);
  const whole = await withBrowser((browser) => growth(browser, url));
  return [
    [
      `heap after ${SCREEN_CHANGES} changes of screen, nothing slowed`,
      'under 1.10 of before',
      grown(kept),
    ],
    ['the same with the machine code that V8 makes of it', '-', grown(whole)],
  ];
}

const PARTS = { 'sign-in': signInRows, load: loadRows, screens: screenRows, presses: pressRows };

/** @param {string[]} options `--only` and the name of a part */
export default async function admin([option, only] = []) {
  const names = [...Object.keys(PARTS), 'heap'];
  if (option !== undefined && (option !== '--only' || !names.includes(only))) {
    throw new SetupError(`The only option is --only, with one of: ${names.join(', ')}.`);
  }
  await withServers(1, async ([{ url }]) => {
    const rows = [];
    const chosen = names.filter((name) => only === undefined || name === only);
    for (const name of chosen) {
      console.error(`Measuring: ${name}`);
      rows.push(
        ...(name === 'heap'
          ? await heapRows(url)
          : await withBrowser(async (browser) => PARTS[name](await signedIn(browser, url), url))),
      );
    }
    console.log(
      '1280 px, 1.6 Mbit/s, 150 ms round trip, CPU 4x slower; demo data; medians of three.\n',
    );
    table(['what', 'goal', 'measured'], rows);
  });
}
