// The app is updated on a phone that has unsent work: everything that older versions have stored is still there, and sent once.
import type { Page } from '@playwright/test';
import { button, clockOutEarly, expectStored } from '#tests/e2e/support/clock-dialog.ts';
import { guardOnShift, newPhone, openClock } from '#tests/e2e/support/guard-on-shift.ts';
import { visitor } from '#tests/e2e/support/people.ts';
import { PIXEL } from '#tests/e2e/support/pixel.ts';
import { behindProxy } from '#tests/e2e/support/proxied-site.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const DETAILS = 'The vehicle gate was open and unlocked when I came on duty.';

async function openReport(page: Page) {
  await page.getByRole('button', { name: 'Report Incident' }).click();
  return page.getByRole('dialog', { name: 'Report Incident' });
}

/** Runs in the page: stores a report as the first versions of the app did, whose files had neither label nor state. */
async function storeAsBefore({ id, userId, siteId, description }: Record<string, string>) {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('outbox');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const fileId = crypto.randomUUID();
  const report = { id, raised_by_user_id: userId, site_id: siteId, title: 'Gate found open' };
  const work = database.transaction(['entries', 'files'], 'readwrite');
  work.objectStore('entries').add({
    ...{ id, userId, kind: 'incident', title: 'Gate found open', state: 'waiting' },
    ...{ madeAt: Date.now() - 2 * 24 * 3_600_000, offsetMs: null, reason: null, attempts: 1 },
    payload: {
      report: { ...report, category: 'other', severity: 'low', description },
      evidence: [
        {
          ...{ id: crypto.randomUUID(), attachmentId: fileId, name: 'gate.txt' },
          ...{ type: 'text/plain', takenAt: null, gps: null, locatedBy: null },
        },
      ],
    },
  });
  work.objectStore('files').add({ name: fileId, blob: new Blob(['Open']), entryId: id });
  await new Promise((resolve, reject) => {
    work.oncomplete = resolve;
    work.onabort = () => reject(work.error);
  });
  database.close();
}

/** Runs in the page: what a later version of the app does, which needs another store. */
const upgradeOutbox = () =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.open('outbox', 2);
    request.onupgradeneeded = () => request.result.createObjectStore('of-a-later-version');
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
    request.onerror = () => reject(request.error);
  });

test('an update without a network keeps queue and draft, and two versions side by side send each entry once', {
  tag: '@long',
}, async ({ browser, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const site = await behindProxy(url);
  const page = await newPhone(browser, site.url, guard, { serviceWorkers: 'allow' });
  const context = page.context();
  await page.goto('/staff');
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  // Each would start the old worker again while the new one is to take over.
  const throughWorker: string[] = [];
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  devtools.on('Network.responseReceived', ({ response, type }) => {
    const isService = /\/(auth|functions|rest|storage)\/v1\//.test(response.url);
    if (type === 'Preflight' || !isService) return;
    const way = response.serviceWorkerRouterInfo?.matchedSourceType;
    if (way !== 'network') throughWorker.push(response.url);
  });
  // A tab that stays in the old version.
  const other = await context.newPage();
  await openClock(other);
  site.replaceWorker();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect(page.getByText('A new version is ready.')).toBeVisible();
  await context.setOffline(true);
  await button(other, 'Clock In').click();
  await expect(page.getByText('1 waiting to send')).toBeVisible();
  const form = await openReport(page);
  await form.getByLabel('Title').fill('Fence is cut');
  await form
    .getByLabel('Add Files')
    .setInputFiles({ name: 'fence.png', mimeType: 'image/png', buffer: PIXEL });
  await expect(form.getByRole('button', { name: 'Remove fence.png' })).toBeVisible();
  const { id: userId } = guard.session.user;
  const before = { id: crypto.randomUUID(), userId, siteId: guard.siteId, description: DETAILS };
  await page.evaluate(storeAsBefore, before);

  // The open form is in front of the offer.
  await page.keyboard.press('Escape');
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Update now' }).click();
  await reloaded;
  await page.evaluate(upgradeOutbox);

  const bar = page.getByRole('link', { name: '2 waiting to send for 2 days' });
  await bar.click();
  const advice = page.getByRole('alert').filter({ hasText: 'only on this phone' });
  await expect(advice).toContainText('1 clock time and 1 report are only on this phone');
  await expect(advice).toContainText('The oldest has waited for 2 days. Go where there is');
  await expect(advice.getByRole('link', { name: /^Call / })).toBeVisible();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  const draft = await openReport(page);
  await expect(draft.getByLabel('Title')).toHaveValue('Fence is cut');
  await expect(draft.getByRole('button', { name: 'Remove fence.png' })).toBeVisible();

  // The old version goes on with the database that the new one has upgraded.
  await other.getByRole('button', { name: 'Done' }).click();
  await other.getByRole('button', { name: 'Clock In/Out' }).click();
  await clockOutEarly(other);
  await expect(other.getByText('3 waiting to send')).toBeVisible();
  await context.setOffline(false);
  await expectStored(guard, ['in', 'out'], [true]);
  const client = await visitor(url);
  await client.auth.setSession(guard.session);
  const reports = async () =>
    (await client.from('incidents').select('id, evidence(url)').throwOnError()).data;
  await expect
    .poll(reports)
    .toEqual([{ id: before.id, evidence: [{ url: expect.stringContaining('gate.txt') }] }]);
  await expect(page.getByText(/waiting to send/)).toHaveCount(0);
  expect(throughWorker).toEqual([]);
  await context.close();
  await site.close();
});
