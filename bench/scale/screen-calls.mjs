// The requests that every screen makes, as each role, and how long the server takes for them.
import { errors } from '@playwright/test';
import { register } from 'tsx/esm/api';
import { adminScreens } from '../../scripts/chunks.mjs';
import { ROOT } from '../../scripts/setup.mjs';
import { withBrowser } from '../browser.mjs';
import { signedIn, storageOf } from '../signed-in.mjs';

const OFFICE = ['admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'finance'];
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
/** A screen or request that takes longer counts as this long. */
const LIMIT_MS = 30_000;
/** Screens opened at a time: nothing is measured yet. */
const PAGES = 3;
const DESK = { width: 1280, height: 800 };

/** Without ids and times, so that the same call of two companies has one name. */
const nameOf = (url, method) => {
  const { pathname, searchParams } = new URL(url);
  const select = searchParams.get('select') ?? '';
  return `${method} ${pathname.replace('/rest/v1/', '')} ${[...searchParams.keys()].join(' ')} ${select.length}`;
};

/** @returns {Promise<(role: string) => string[]>} the addresses of the office that a role can open */
async function officeScreens() {
  const unregister = register();
  const { screens } = await import('../../shared/screens.ts');
  await unregister();
  const addresses = (await adminScreens(ROOT))
    .map(({ address }) => address)
    .filter((address) => !address.includes('$'));
  const isClosed = (address, role) =>
    screens.some(
      ({ path, exact, roles }) =>
        !exact && `${address}/`.startsWith(`${path}/`) && !roles.includes(role),
    );
  return (role) => addresses.filter((address) => !isClosed(address, role));
}

/** The screen's requests until there were none for half a second, or until the limit. */
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
  try {
    await page.goto(address, { timeout: LIMIT_MS });
    await page.waitForLoadState('networkidle', { timeout: LIMIT_MS });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    console.error(`${address} was not quiet after ${LIMIT_MS / 1000} s`);
  } finally {
    page.off('request', record);
  }
  return calls;
}

/** @returns {Promise<number>} milliseconds until the last byte; infinite when the request fails or takes too long */
async function timeOf({ url, method, headers, body }) {
  const started = performance.now();
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const answer = await fetch(url, { method, headers, body, signal });
    await answer.arrayBuffer();
    return answer.ok ? performance.now() - started : Number.POSITIVE_INFINITY;
  } catch (error) {
    if (error.name === 'TimeoutError') return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** @returns {Promise<number>} the slowest of the repeats; the first fills caches and does not count unless it fails */
async function slowest(request) {
  let ms = await timeOf(request);
  if (!Number.isFinite(ms)) return ms;
  ms = 0;
  for (let turn = 1; turn < REPEATS && Number.isFinite(ms); turn += 1) {
    ms = Math.max(ms, await timeOf(request));
  }
  return ms;
}

/** @returns {Promise<Map<string, { role: string, screen: string, call: string, request: object }>>} */
export function recordCalls(url, password) {
  return withBrowser(async (browser) => {
    const office = await officeScreens();
    const found = new Map();
    for (const role of [...OFFICE, 'guard']) {
      const client = await signedIn(url, {
        email: `${role.replace('_manager', '')}@statesman.example`,
        password,
      });
      const context = await browser.newContext({
        baseURL: url,
        viewport: DESK,
        serviceWorkers: 'block',
        storageState: await storageOf(client, url),
      });
      const screens = role === 'guard' ? [...STAFF] : office(role);
      const openScreens = async () => {
        const page = await context.newPage();
        for (let screen = screens.shift(); screen !== undefined; screen = screens.shift()) {
          for (const [call, request] of await callsOf(page, screen)) {
            const key = `${role} ${call}`;
            if (!found.has(key)) found.set(key, { role, screen, call, request });
          }
        }
      };
      await Promise.all(Array.from({ length: PAGES }, openScreens));
      await context.close();
    }
    return found;
  });
}

/**
 * @param {string} url of a running demo company, grown or not
 * @param {string} password of its accounts
 * @returns {Promise<Map<string, { role: string, screen: string, call: string, ms: number }>>} the slowest of six repeats
 */
export async function screenCalls(url, password) {
  const calls = new Map();
  for (const [key, { request, ...call }] of await recordCalls(url, password)) {
    calls.set(key, { ...call, ms: await slowest(request) });
  }
  return calls;
}
