// A first visit to the clients' portal with nothing cached, on the line of an office: bytes of JavaScript, time until usable.
import { median, seconds } from '../backend/bench/support/report.mjs';
import { LINES, PHONE, slowDown, withBrowser } from './browser.mjs';
import { signedIn, storageOf } from './signed-in.mjs';

const LOADS = 5;
const CONTACT = { email: 'client@statesman.example', password: 'Statesman-Demo-1' };

async function visit(browser, url, storageState, usable) {
  const context = await browser.newContext({
    baseURL: url,
    serviceWorkers: 'block',
    viewport: PHONE,
    ...(storageState && { storageState }),
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await slowDown(session, LINES.fast);
  const scripts = new Set();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const start = performance.now();
  await page.goto('/client', { waitUntil: 'commit' });
  await usable(page).waitFor();
  const ms = performance.now() - start;
  await page.waitForLoadState('networkidle');
  await context.close();
  return { ms, bytes };
}

/** @returns rows of the table */
export function portalLoad(url) {
  return withBrowser(async (browser) => {
    const storage = await storageOf(await signedIn(url, CONTACT), url);
    const rows = [];
    for (const [what, state, usable] of [
      ['who is on post', storage, (page) => page.getByRole('heading', { level: 2 }).first()],
      ['sign-in', undefined, (page) => page.getByRole('button', { name: 'Send me a link' })],
    ]) {
      const loads = [];
      for (let turn = 0; turn < LOADS; turn += 1) {
        loads.push(await visit(browser, url, state, usable));
      }
      const bytes = Math.max(...loads.map((load) => load.bytes));
      rows.push(
        [
          `portal first load, ${what} (1.6 Mbit/s, 150 ms, CPU 4x slower)`,
          'under 2.5 s',
          seconds(median(loads.map(({ ms }) => ms))),
        ],
        ['its JavaScript, compressed', 'under 150 kB', `${(bytes / 1000).toFixed(0)} kB`],
      );
    }
    return rows;
  });
}
