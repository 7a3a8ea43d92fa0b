// The requests that every screen makes, as each role, and how long the server takes for them.
import { adminScreens } from '../../scripts/chunks.mjs';
import { ROOT } from '../../scripts/setup.mjs';
import { withBrowser } from '../browser.mjs';
import { signedIn, storageOf } from '../signed-in.mjs';

const OFFICE = ['admin', 'ops', 'supervisor', 'dispatcher', 'hr', 'finance'];
const PASSWORD = 'Statesman-Demo-1';
const STAFF = [
  '',
  '/attendance',
  '/calendar',
  '/me',
  '/open-shifts',
  '/payslips',
  '/report',
  '/shifts',
  '/timesheet',
].map((page) => `/staff${page}`);
const REPEATS = 7;
const DESK = { width: 1280, height: 800 };

/** Without ids and times, so that the same call of two companies has one name. */
const nameOf = (url, method) => {
  const { pathname, searchParams } = new URL(url);
  const select = searchParams.get('select') ?? '';
  return `${method} ${pathname.replace('/rest/v1/', '')} ${[...searchParams.keys()].join(' ')} ${select.length}`;
};

async function callsOf(page, address) {
  const calls = new Map();
  const record = (request) => {
    const url = request.url();
    if (!url.includes('/rest/v1/')) return;
    calls.set(nameOf(url, request.method()), {
      url,
      method: request.method(),
      headers: request.headers(),
      body: request.postData() ?? undefined,
    });
  };
  page.on('request', record);
  await page.goto(address, { waitUntil: 'networkidle' });
  page.off('request', record);
  return calls;
}

/** @returns {Promise<number[]>} milliseconds until the last byte */
async function repeat({ url, method, headers, body }) {
  const times = [];
  for (let turn = 0; turn < REPEATS; turn += 1) {
    const started = performance.now();
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    await answer.text();
    if (!answer.ok) return [Number.POSITIVE_INFINITY];
    times.push(performance.now() - started);
  }
  return times.slice(1).sort((a, b) => a - b);
}

/**
 * @param {string} url of a running demo company, grown or not
 * @returns {Promise<Map<string, { role: string, screen: string, call: string, ms: number }>>} the slowest of six repeats
 */
export function screenCalls(url) {
  return withBrowser(async (browser) => {
    const office = (await adminScreens(ROOT))
      .map(({ address }) => address)
      .filter((address) => !address.includes('$'));
    const found = new Map();
    for (const role of [...OFFICE, 'guard']) {
      const client = await signedIn(url, {
        email: `${role}@statesman.example`,
        password: PASSWORD,
      });
      const context = await browser.newContext({
        baseURL: url,
        viewport: DESK,
        serviceWorkers: 'block',
        storageState: await storageOf(client, url),
      });
      const page = await context.newPage();
      for (const screen of role === 'guard' ? STAFF : office) {
        for (const [call, request] of await callsOf(page, screen)) {
          const key = `${role} ${call}`;
          if (found.has(key)) continue;
          found.set(key, { role, screen, call, ms: (await repeat(request)).at(-1) });
        }
      }
      await context.close();
    }
    return found;
  });
}
