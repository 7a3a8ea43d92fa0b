// /kiosk on a slow line, bound to a site and with nothing cached: bytes of JavaScript, and the time until the names show.
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { median, table } from '../backend/bench/support/report.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { LINES, PHONE, slowDown, withBrowser } from './browser.mjs';

const LOADS = 5;

async function newCode(url) {
  const config = await (await fetch(`${url}/app-config.json`)).json();
  const client = createClient(config.supabaseUrl, config.supabaseAnonKey, {
    auth: { persistSession: false },
    // Node 20 has none.
    realtime: { transport: WebSocket },
  });
  const email = 'admin@statesman.example';
  await client.auth.signInWithPassword({ email, password: 'Statesman-Demo-1' });
  const device = await client
    .from('devices')
    .select('id')
    .order('created_at')
    .limit(1)
    .single()
    .throwOnError();
  const { data } = await client
    .rpc('new_device_code', { p_device_id: device.data.id })
    .single()
    .throwOnError();
  return data.code;
}

/** @returns the storage of a device that is bound, without its HTTP cache */
async function bound(browser, url) {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto('/kiosk');
  await page.getByLabel('Code').fill(await newCode(url));
  await page.getByRole('button', { name: 'Bind Device' }).click();
  await page.getByText('Who are you?').waitFor();
  const storage = await context.storageState({ indexedDB: true });
  await context.close();
  return storage;
}

async function load(browser, url, line, storageState) {
  const context = await browser.newContext({
    ...{ baseURL: url, serviceWorkers: 'block', viewport: PHONE },
    ...(storageState && { storageState }),
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await slowDown(session, line);
  const scripts = new Set();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const start = performance.now();
  await page.goto('/kiosk', { waitUntil: 'commit' });
  await page.getByText(storageState ? 'Who are you?' : 'Bind This Device').waitFor();
  const ms = performance.now() - start;
  await page.waitForLoadState('networkidle');
  await context.close();
  return { ms, bytes };
}

export default async function bench() {
  await withServers(1, ([{ url }]) =>
    withBrowser(async (browser) => {
      const storage = await bound(browser, url);
      const rows = [];
      for (const [what, state] of [
        ['names (bound device)', storage],
        ['code (new device)', undefined],
      ]) {
        const loads = [];
        for (let turn = 0; turn < LOADS; turn += 1)
          loads.push(await load(browser, url, LINES.slow, state));
        rows.push([
          what,
          `${(median(loads.map(({ ms }) => ms)) / 1000).toFixed(1)} s`,
          `${(Math.max(...loads.map(({ bytes }) => bytes)) / 1000).toFixed(0)} kB`,
        ]);
      }
      console.log('400 kbit/s, 400 ms, CPU 4 times slower, nothing cached:\n');
      table(['/kiosk', 'usable after', 'JavaScript'], rows);
    }),
  );
}
