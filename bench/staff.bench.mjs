// The staff portal on a cheap phone: first visit until the sign-in form is usable; second visit online and offline.
import { median, seconds, table } from '../backend/bench/support/report.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { LINES, PHONE, slowDown, withBrowser } from './browser.mjs';

const LOADS = 3;
const CREDENTIALS = { email: 'guard@statesman.example', password: 'Statesman-Demo-1' };

async function openPage(context, line, offline = false) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (line) await slowDown(session, line, offline);
  return { page, session };
}

/** @returns milliseconds from the start of the navigation until the locator is visible */
async function timeTo(page, address, locate) {
  const started = performance.now();
  await page.goto(address, { waitUntil: 'commit', timeout: 120_000 });
  await locate(page).waitFor({ timeout: 120_000 });
  return performance.now() - started;
}

async function firstVisit(browser, url) {
  const context = await browser.newContext({ viewport: PHONE });
  const { page, session } = await openPage(context, LINES.slow);
  const scripts = new Set();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const readable = await timeTo(page, `${url}/staff`, (at) =>
    at.getByRole('button', { name: 'Login' }),
  );
  // Until the app takes over, the form is static HTML.
  await page.waitForFunction(() => document.querySelector('[data-static]') === null);
  const usable = await page.evaluate(() => performance.now());
  const result = { readable, usable, bytes };
  await context.close();
  return result;
}

const seen = (page) => page.getByRole('list', { name: 'My Shifts' });

/** Signs in unthrottled, then opens the portal in a new page. @returns milliseconds */
async function secondVisits(browser, url) {
  const context = await browser.newContext({ viewport: PHONE });
  const { page } = await openPage(context);
  await page.goto(`${url}/staff`);
  await page.getByLabel('Email').fill(CREDENTIALS.email);
  await page.getByLabel('Password', { exact: true }).fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await seen(page).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await page.close();
  const times = { online: [], offline: [] };
  for (let load = 0; load < LOADS; load += 1) {
    for (const network of ['online', 'offline']) {
      const back = await openPage(context, LINES.slow, network === 'offline');
      times[network].push(await timeTo(back.page, `${url}/staff`, seen));
      await back.page.close();
    }
  }
  await context.close();
  return { online: median(times.online), offline: median(times.offline) };
}

async function measure(browser, url) {
  const visits = [];
  for (let load = 0; load < LOADS; load += 1) visits.push(await firstVisit(browser, url));
  const of = (name) => median(visits.map((visit) => visit[name]));
  const first = { readable: of('readable'), usable: of('usable'), bytes: of('bytes') };
  return { ...first, ...(await secondVisits(browser, url)) };
}

export default async function staff() {
  await withServers(1, async ([{ url }]) => {
    const { readable, usable, bytes, online, offline } = await withBrowser((browser) =>
      measure(browser, url),
    );
    console.log(
      `A phone of 360 px, 400 kbit/s, 400 ms round trip, CPU 4x slower; medians of ${LOADS}.\n`,
    );
    table(
      ['what', 'goal', 'measured'],
      [
        ['first visit: sign-in is readable', 'under 6 s', seconds(readable)],
        ['first visit: sign-in can be used', 'under 6 s', seconds(usable)],
        ['its JavaScript, compressed', 'under 200 kB', `${(bytes / 1000).toFixed(0)} kB`],
        ['second visit: shifts on screen', 'under 1 s', seconds(online)],
        ['the same without a network', 'under 1 s', seconds(offline)],
      ],
    );
  });
}
