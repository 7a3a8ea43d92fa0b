import type { Page } from '@playwright/test';
import { dutyCard } from '#tests/e2e/support/clock-dialog.ts';
import { failing } from '#tests/e2e/support/failing.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { login, member, signUp } from '#tests/e2e/support/people.ts';
import { behindProxy } from '#tests/e2e/support/proxied-site.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const RANGE = /^\d{1,2}:\d{2} [AP]M - ([A-Z][a-z]{2} )?\d{1,2}:\d{2} [AP]M$/;

/** Waits until the page can be opened offline. */
async function readyForOffline(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** Replaces the stored session by another user's. */
async function takeOver(page: Page, url: string, name: 'guard' | 'guard2', expired: boolean) {
  const { session } = await member(url, name);
  const stored = expired ? { ...session, expires_at: 1 } : session;
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `sb-${new URL(url).hostname.split('.')[0]}-auth-token`,
    JSON.stringify(stored),
  ] as const);
}

test('a guard sees their status, shifts, incidents and records', { tag: '@everyday' }, async ({
  openAs,
}) => {
  const page = await openAs('guard');
  await page.goto('/staff');
  await expect(page.getByRole('banner')).toContainText('guard@statesman.example');
  await expect(page.getByText(/^You are (not )?clocked in$/)).toBeVisible();
  const shifts = page.getByRole('list', { name: 'My Shifts' });
  await expect(shifts.getByText(RANGE).first()).toBeVisible();
  const incidents = page.getByRole('list', { name: 'Recent Incidents' }).getByRole('listitem');
  await expect(incidents).toHaveCount(5);
  await expect(incidents.first()).toContainText(/Low|Medium|High|Critical/);
  const title = await incidents.first().locator('.font-semibold').first().textContent();
  // By key: sections above that are still loading move the list under a click.
  await incidents.first().getByRole('button').press('Enter');
  const incident = page.getByRole('dialog', { name: 'Incident' });
  await expect(incident).toContainText(title ?? '');
  await expect(incident.getByRole('region', { name: 'Progress' })).toContainText('Reported');
  await expect(incident.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  await page.keyboard.press('Escape');

  const place = (name: string) =>
    page.getByRole('navigation', { name: 'Staff portal' }).getByRole('link', { name, exact: true });
  await place('Shifts').click();
  await expect(shifts.getByRole('heading').first()).toContainText(
    /(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, [A-Z]/,
  );
  // Each shift has its address; the link is not repeated.
  const count = await shifts.locator('p > time').count();
  expect(count).toBeGreaterThan(1);
  await expect(shifts.locator('p:has(> svg)')).toHaveCount(count);
  await expect(shifts.getByRole('link', { name: /^Directions to/ })).toHaveCount(1);
  await page.getByRole('link', { name: /^My Attendance/ }).click();
  await expect(place('Shifts')).toHaveAttribute('data-current');
  await expect(page.getByRole('region', { name: 'This week' })).toContainText(
    /\d+ (h|min).*(left before overtime|overtime)/,
  );
  await expect(page.getByRole('table', { name: 'Hours by week' })).toBeVisible();
  await page.getByRole('tab', { name: 'By month' }).click();
  await expect(page.getByRole('table', { name: 'Hours by month' })).toBeVisible();
  await place('Me').click();
  await expect(page.getByRole('main')).toContainText('guard@statesman.example');
  await expect(page.getByRole('main').getByRole('link', { name: /^Call \+231/ })).toBeVisible();
  await page.getByRole('link', { name: /^My Certifications/ }).click();
  await expect(page.getByText(/^Expires [A-Z]/).first()).toBeVisible();
  await place('Pay').click();
  const payslips = page.getByRole('list', { name: 'My Payslips' }).getByRole('button');
  const payslip = page.getByRole('dialog', { name: 'Payslip' });
  // The newest one that is paid is of a pay run: each line has its sentence.
  await payslips.filter({ hasText: 'Paid on' }).first().click();
  const lines = payslip.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(lines.filter({ hasText: /^Salary/ })).toContainText(/\.$/);
  await expect(lines.filter({ hasText: /^NASSCORP/ })).toContainText(/-\$\d/);
  await page.keyboard.press('Escape');
  await expect(payslip).toBeHidden();
  // Older than the pay runs.
  await payslips.last().click();
  await expect(payslip).toContainText('Net Amount');
  await expect(payslip).toContainText(/NASSCORP/);
  await expect(payslip.getByRole('button', { name: 'Print' })).toBeVisible();
  const file = page.waitForEvent('download');
  await payslip.getByRole('button', { name: 'Save PDF' }).click();
  expect((await file).suggestedFilename()).toMatch(/^payslip-\d{4}-\d{2}-\d{2}-.*\.pdf$/);
  await page.keyboard.press('Escape');

  // First loading, then failing.
  await page.route('**/rest/v1/assignments?**', (route) => route.fulfill({ json: [] }));
  const works = await failing(page, '**/rest/v1/incidents?**', 'The lights are out');
  await page.evaluate(() => indexedDB.deleteDatabase('last-seen'));
  await page.goto('/staff');
  await expect(page.getByText('No upcoming shifts')).toBeVisible();
  const toast = page.getByRole('listitem').filter({ hasText: 'Error' });
  await expect(toast.first()).toContainText('The lights are out');
  await works();
  await page.route('**/rest/v1/incidents?**', (route) => route.fulfill({ json: [] }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No recent incidents')).toBeVisible();
});

test('a failing server shows an error with a retry, from sign-in on', {
  tag: '@long',
}, async ({ page, url }) => {
  const fails = (message: string) => ({ status: 500, json: { message, code: 'XX000' } });
  const toast = (message: string) =>
    page.getByRole('listitem').filter({ hasText: `Error${message}` });
  const person = await signUp(url);
  await page.route('**/rest/v1/profiles?**', (route) => route.fulfill(fails('boom')));
  await page.route('**/rpc/my_clock_shifts*', (route) => route.fulfill(fails('The clock stopped')));
  await page.goto('/staff');
  await login(page, person.email, person.password);
  const alert = page.getByRole('alert').filter({ hasText: 'Your profile could not be loaded' });
  await expect(alert).toContainText('Try again in a moment. Reason: boom');
  await expect(toast('boom')).toBeVisible();
  await expect(alert.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.unroute('**/rest/v1/profiles?**');
  await alert.getByRole('button', { name: 'Try again' }).click();

  const home = dutyCard(page);
  await expect(home).toContainText("We can't tell yet whether you're clocked in.");
  await expect(toast('The clock stopped')).toBeVisible();
  await expect(toast('The clock stopped')).toBeHidden();
  await page.getByRole('button', { name: 'Clock In/Out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clock In/Out' });
  await expect(dialog).toContainText('The clock stopped');
  await expect(toast('The clock stopped')).toBeVisible();
  await page.unroute('**/rpc/my_clock_shifts*');
  await dialog.getByRole('button', { name: 'Try again' }).first().click();
  await expect(dialog.getByText('No shift assigned for today.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(home).toContainText('No shift assigned for today.');

  // The tracker links back, also in the installed app.
  await page.getByRole('link', { name: /^Guard Deployment Tracker/ }).click();
  await expect(page.getByRole('heading', { name: 'Guard Deployment Tracker' })).toBeVisible();
  await page.getByRole('link', { name: 'Staff Portal' }).click();
  await expect(page).toHaveURL('/staff');
});

test('offline it shows this user’s cached data to this user only', async ({ openAs, url }) => {
  const page = await openAs('guard', { serviceWorkers: 'allow' });
  await page.goto('/staff/payslips');
  await expect(page.getByRole('list', { name: 'My Payslips' })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  const shifts = page.getByRole('list', { name: 'My Shifts' });
  const first = await shifts.getByText(RANGE).first().textContent();
  await readyForOffline(page);

  // With an expired token.
  await takeOver(page, url, 'guard', true);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText('No connection. Showing the last loaded data.')).toBeVisible();
  await expect(shifts.getByText(first ?? '').first()).toBeVisible();
  await page.getByRole('link', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('list', { name: 'My Payslips' })).toBeVisible();

  // Another user's session replaces it before the first one is refreshed.
  await takeOver(page, url, 'guard2', false);
  await page.context().setOffline(false);
  await page.goto('/staff');
  await expect(page.getByRole('banner')).toContainText('guard2@statesman.example');
  await expect(page.getByText(/^You are (not )?clocked in$/)).toBeVisible();
  const owners = () =>
    page.evaluate(
      () =>
        new Promise<unknown[]>((resolve, reject) => {
          const opening = indexedDB.open('last-seen');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const all = opening.result.transaction('answers').objectStore('answers').getAllKeys();
            all.onsuccess = () => {
              opening.result.close();
              resolve([...new Set(all.result.map((key) => (Array.isArray(key) ? key[0] : key)))]);
            };
          };
        }),
    );
  const { session } = await member(url, 'guard2');
  await expect.poll(owners).toEqual([session.user.id]);
  await page.context().setOffline(true);
  await page.goto('/staff/payslips');
  await expect(page.getByRole('heading', { name: 'My Payslips' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'My Payslips' })).toBeHidden();
  await page.context().setOffline(false);
});

test('opened without a signal, it loads by itself once there is one, without an error', async ({
  openAs,
}) => {
  const page = await openAs('guard', { serviceWorkers: 'allow' });
  await page.goto('/staff/payslips');
  const payslips = page.getByRole('list', { name: 'My Payslips' });
  const age = page.getByText(/^Last updated/);
  await expect(payslips).toBeVisible();
  await readyForOffline(page);
  // Reconnected live changes would reload it too, later.
  await page.routeWebSocket(/realtime/, (socket) => socket.close());
  await page.context().setOffline(true);
  await page.reload();
  await expect(payslips).toBeVisible();
  await expect(age).toBeVisible();
  await page.context().setOffline(false);
  await expect(age).toBeHidden();
  await expect(page.getByText('No connection. Showing the last loaded data.')).toBeHidden();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
});

test('it can be installed; a new version asks before reloading and keeps what is being typed', {
  tag: '@long',
}, async ({ browser, url }) => {
  const site = await behindProxy(url);
  const context = await browser.newContext({ serviceWorkers: 'allow' });
  const page = await context.newPage();
  const worker = await page.request.get(`${url}/sw.js`);
  expect(worker.headers()).toMatchObject({ 'cache-control': 'no-cache' });
  expect(worker.headers()['content-type']).toContain('javascript');
  const manifest = await page.request.get(`${url}/app.webmanifest`);
  expect(manifest.headers()['content-type']).toContain('manifest+json');
  const { start_url, display, icons } = await manifest.json();
  expect({ start_url, display }).toEqual({ start_url: '/staff', display: 'standalone' });
  for (const { src } of icons) {
    expect((await page.request.get(url + src)).headers()['content-type']).toBe('image/png');
  }

  await page.goto(`${site.url}/auth`);
  await page.getByLabel('Email').fill('musu@visitor.example');
  await readyForOffline(page);
  site.replaceWorker();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect(page.getByText('A new version is ready.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('musu@visitor.example');
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Update now' }).click();
  await reloaded;
  await expect(page.getByText('A new version is ready.')).toBeHidden();
  await expect(page.getByLabel('Email')).toHaveValue('');

  // A chunk of the old version is missing before the user was asked: reloading loads the new version.
  await readyForOffline(page);
  site.replaceWorker();
  site.lacks(/tracker-/);
  await page.goto(`${site.url}/deployments`);
  await expect(page.getByRole('alert')).toContainText('The app was updated');
  site.lacks(undefined);
  const inNewVersion = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload page' }).click();
  await inNewVersion;
  const hasNewer = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    return Boolean(registration.installing ?? registration.waiting);
  });
  expect(hasNewer).toBe(false);
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();
  await context.close();
  await site.close();
});

test('all of the guard’s own day is within two screenfuls of a phone', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('guard', { viewport: { width: 360, height: 800 }, hasTouch: true });
  await page.goto('/staff');
  const topOf = (name: string) => {
    const card = page.getByRole('region', { name, exact: true });
    return card.evaluate((element) => element.getBoundingClientRect().top + scrollY);
  };
  const last = page.getByRole('region', { name: 'Recent Incidents' });
  await last.getByRole('button').first().scrollIntoViewIfNeeded();
  // An announcement or an offer above the duty is no part of an everyday.
  await expect
    .poll(async () => (await topOf('Recent Incidents')) - (await topOf('On duty')))
    .toBeLessThan(2 * 800 - 120);
});

test('on the phone of a guard at their post, the shifts begin with the next one', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const tonight = await guard.alsoOn(20, 28);
  await guard.attends(new Date(Date.now() - 1_800_000).toISOString());
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff');
  await expect(page.getByRole('region', { name: 'On duty' })).toContainText(guard.siteName);
  const shifts = page.getByRole('region', { name: 'My Shifts' });
  await expect(shifts.getByText(tonight.siteName, { exact: true })).toBeVisible();
  await expect(shifts.getByText(guard.siteName, { exact: true })).toBeHidden();
  await shifts.getByRole('button', { name: 'Show all 2 shifts' }).click();
  await expect(shifts.getByText(guard.siteName, { exact: true })).toBeVisible();
  await page.context().close();
});
