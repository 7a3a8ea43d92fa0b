// The screens of the office: from the press on a link of the sidebar to the first painted frame that has the screen's rows.
import { watchPaint } from './painted.mjs';
import { slowPage } from './slow-page.mjs';

const ROUNDS = 3;
/** A hand rests on a link before it presses, and a finger touches it for as long before the click. */
const REST_MS = 150;
/** Until a page has loaded the code of all screens. */
const IDLE_MS = 8_000;
/** Between two clicks: the rest of the screen loads. What a new subscription refetches comes after 2 s. */
const READING_MS = 1_000;
/** A screen without its rows by then has lost its locator. */
const ROWS_LIMIT_MS = 30_000;

/** Screens, each with a selector that matches only its rows, and what comes before them. */
export const SCREENS = [
  ['Deployments', 'main li h3, main li h2'],
  ['Dashboard', 'main section li'],
  ['Users', 'main tbody tr'],
  ['Sites', 'main tbody tr'],
  ['Shifts', 'main tbody tr'],
  ['Roster', 'main [role=grid] [role=rowheader]'],
  [
    'Operations',
    'main section[aria-label=Posts] li',
    { label: 'Operations, alerts', rows: 'main section[aria-label=Alerts] li' },
  ],
  ['Attendance', 'main tbody tr'],
  ['Timesheets', 'main li h3, main li h2'],
  ['Incidents', 'main tbody tr'],
  ['Leave Requests', 'main tbody tr'],
  ['Training & Certifications', 'main tbody tr'],
  ['Clients', 'main li h3, main li h2'],
  ['Contracts', 'main tbody tr'],
  ['Invoices', 'main tbody tr'],
  ['Financial Statements', 'main li h3, main li h2'],
  ['Expense Reports', 'main tbody tr'],
  ['Bank Accounts', 'main tbody tr'],
  ['Loan Accounts', 'main tbody tr'],
  ['Bank Statements', 'main section li'],
  ['Cashflow Statement', 'main dl dd, main dd'],
  ['Staff', 'main tbody tr'],
  ['Payroll', 'main tbody tr'],
  ['Pay Runs', 'main tbody tr'],
  ['Activity', 'main tbody tr'],
  ['System', 'main tbody tr'],
];

/**
 * In the page: `awaitRows` names the rows, and `rowsPainted` are the times from the next press on a link of the sidebar to the
 * first painted frames that have them. The press begins when the browser receives it (`timeStamp` of
 * pointerdown, before any handler has run). The frame has rows of the new screen in the document and its link active.
 */
function watchPresses() {
  let press;
  globalThis.awaitRows = ({ name, selectors }) => {
    globalThis.rowsPainted = new Promise((resolve) => {
      press = ({ timeStamp }) =>
        resolve(
          Promise.all(selectors.map((rows) => painted(name, rows).then((at) => at - timeStamp))),
        );
    });
  };
  function painted(name, rows) {
    const before = new Set(document.querySelectorAll(rows));
    const hasRows = () => {
      const link = document.querySelector('#sidebar a[data-status=active]');
      if (!link?.textContent.includes(name)) return false;
      const shown = [...document.querySelectorAll(rows)].filter((row) => !before.has(row));
      return shown.some((row) => row.checkVisibility());
    };
    return new Promise((resolve) => globalThis.whenPainted(hasRows, resolve));
  }
  addEventListener('pointerdown', (event) => press?.(event), { capture: true });
}

/** Prepares a page that has not been opened yet for `change`. */
export async function watchRows(page) {
  await page.addInitScript(watchPaint);
  await page.addInitScript(watchPresses);
}

export const entry = (page, name) =>
  page.locator('#sidebar').getByRole('link', { name, exact: true });

/**
 * Opens a screen from the sidebar and waits for its rows. The page was prepared by `watchRows`.
 * @returns milliseconds from the press to the painted rows, and to what comes before them
 */
export async function change(page, [name, rows, before]) {
  try {
    const selectors = before ? [rows, before.rows] : [rows];
    await page.evaluate((screen) => globalThis.awaitRows(screen), { name, selectors });
    await entry(page, name).hover({ timeout: ROWS_LIMIT_MS });
    await page.waitForTimeout(REST_MS);
    await entry(page, name).click({ timeout: ROWS_LIMIT_MS });
    // Not `waitForFunction`, whose polling in every frame takes a slow phone longer than many a screen.
    return await page.evaluate(
      (limit) =>
        Promise.race([
          globalThis.rowsPainted,
          new Promise((_, reject) => setTimeout(reject, limit, new Error('Timeout'))),
        ]),
      ROWS_LIMIT_MS,
    );
  } catch (error) {
    throw new Error(`The screen "${name}" did not show its rows (${rows}).`, { cause: error });
  }
}

/** @returns {Promise<[name: string, ...rounds: number[]][]>} milliseconds */
export async function screens(context, url) {
  const { page } = await slowPage(context);
  await watchRows(page);
  await page.goto(`${url}/admin`);
  for (const screen of SCREENS.slice(1)) await change(page, screen);
  const times = new Map();
  const add = (name, ms) => times.set(name, [...(times.get(name) ?? []), ms]);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Nothing of a screen is in memory but what the page loads while it is idle.
    await page.goto(`${url}/admin`);
    await page.locator(SCREENS[0][1]).filter({ visible: true }).first().waitFor();
    await page.waitForTimeout(IDLE_MS);
    for (const screen of SCREENS.slice(1)) {
      const [name, , before] = screen;
      const [ms, sooner] = await change(page, screen);
      if (before) add(before.label, sooner);
      add(name, ms);
      await page.waitForTimeout(READING_MS);
    }
  }
  await page.close();
  return [...times].map(([name, rounds]) => [name, ...rounds]);
}
