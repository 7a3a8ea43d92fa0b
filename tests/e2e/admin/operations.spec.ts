import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { choose } from '#tests/e2e/support/choose.ts';
import { failing } from '#tests/e2e/support/failing.ts';
import { hold } from '#tests/e2e/support/gate.ts';
import { type GuardOnShift, guardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { visitor } from '#tests/e2e/support/people.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

/** The guard's phone, as far as the server knows it. */
async function clockOf(url: string, { session, assignmentId }: GuardOnShift) {
  const client = await visitor(url);
  await client.auth.setSession(session);
  return async (kind: 'in' | 'out') => {
    const event = {
      p_id: randomUUID(),
      p_kind: kind,
      p_assignment_id: assignmentId,
      p_device_at: new Date().toISOString(),
      p_gps: '6.3000,-10.8000',
    };
    await client.rpc('record_clock_event', event).throwOnError();
  };
}

async function guardOnPost(url: string, dataDir: string) {
  const guard = await guardOnShift(url, dataDir, -0.05, 7);
  const clock = await clockOf(url, guard);
  await clock('in');
  return { guard, clock };
}

const DESK = { viewport: { width: 1440, height: 900 } };

const barOf = (page: Page): Locator =>
  page.getByRole('listitem').getByRole('button', { name: /^\d.* to .*:/ });

test('the board follows a guard’s clock without a reload, says that the network is gone, and catches up', {
  tag: '@everyday',
}, async ({ openAs, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir, -0.05, 7);
  const clock = await clockOf(url, guard);
  const page = await openAs('dispatcher', DESK);
  await page.goto(`/admin/operations?q=${encodeURIComponent(guard.siteName)}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(barOf(page)).toHaveAccessibleName(/: 1 late$/);

  await clock('in');
  await expect(barOf(page)).toHaveAccessibleName(/: 1 on post$/);
  await expect(page.getByRole('button', { name: '1 On post', exact: true })).toBeVisible();

  await page.context().setOffline(true);
  await expect(page.getByText(/^No connection since .*; what you see may be old$/)).toBeVisible();
  await clock('out');
  await expect(barOf(page)).toHaveAccessibleName(/: 1 on post$/);
  await page.context().setOffline(false);
  await expect(barOf(page)).toHaveAccessibleName(/: 1 left early$/);
  await expect(page.getByText(/^No connection since/)).toHaveCount(0);

  await page.getByRole('button', { name: '1 Left early', exact: true }).click();
  await barOf(page).click();
  const line = page
    .getByRole('dialog', { name: guard.siteName })
    .getByRole('list', { name: 'Guards', exact: true })
    .first()
    .getByRole('listitem')
    .first();
  await expect(line).toContainText(guard.person.fullName);
  await expect(line).toContainText('Left early');
});

test('an alert appears by itself; a dispatcher acknowledges it, undoes that, and closes it with a note', async ({
  openAs,
  url,
  dataDir,
}) => {
  const { guard, clock } = await guardOnPost(url, dataDir);
  const page = await openAs('dispatcher', DESK);
  await page.goto(`/admin/operations?q=${encodeURIComponent(guard.siteName)}`);
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await expect(alerts.getByText('No open alerts')).toBeVisible();

  await clock('out');
  await alerts.getByRole('button', { name: /^Acknowledge: Left early/ }).press('Enter');
  await expect(alerts.getByRole('heading', { name: '1 open alert' })).toBeFocused();
  const acknowledged = await holdToast(page, 'Alert acknowledged');
  await expect(alerts.getByText(/^Acknowledged by /)).toBeVisible();
  await acknowledged.getByRole('button', { name: 'Undo' }).click();
  await expect(alerts.getByText('Not acknowledged')).toBeVisible();

  await alerts.getByRole('button', { name: /^Close: Left early/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Close: Left early' });
  await dialog.getByLabel('Note').fill('The patrol stays until the relief comes.');
  await dialog.getByRole('button', { name: 'Close Alert' }).click();
  await expect(alerts.getByRole('heading', { name: 'No open alerts' })).toBeFocused();
  await alerts.getByText(/closed in the last 12 hours/).click();
  await expect(alerts.getByText(/Covered .*The patrol stays/)).toBeVisible();
});

test('alerts are shown before the posts come, and when the posts can’t be loaded', async ({
  openAs,
  url,
  dataDir,
}) => {
  const { guard, clock } = await guardOnPost(url, dataDir);
  await clock('out');
  const page = await openAs('dispatcher', DESK);
  const open = await hold(page, /\/rpc\/operations_board/);
  await page.goto('/admin/operations');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await expect(alerts.getByText(/^(No|[\d,]+) open alerts?$/)).toBeVisible();
  await expect(page.getByText('Loading the board...')).toBeVisible();
  await expect(page.getByRole('button', { name: /On post$/ })).toHaveCount(0);
  open();
  await expect(barOf(page).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /On post$/ })).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });

  const phone = await openAs('dispatcher', { viewport: { width: 360, height: 740 } });
  const repair = await failing(phone, /\/rpc\/operations_board/, 'The server is being repaired.');
  // Which sites a filter shows is not known either.
  await phone.goto(`/admin/operations?q=${encodeURIComponent(guard.siteName)}`);
  const shown = phone.getByRole('region', { name: 'Alerts' }).getByRole('listitem');
  await expect(shown.first()).toBeVisible();
  await expect(phone.getByText('The board could not be loaded')).toBeVisible();
  await repair();
  await phone.getByRole('button', { name: 'Try again' }).first().click();
  await expect(barOf(phone).first()).toBeVisible();
});

test('the board shows the posts of a region alone, also after a reload', async ({
  openAs,
  url,
  dataDir,
}) => {
  const inBong = await guardOnShift(url, dataDir);
  const elsewhere = await guardOnShift(url, dataDir);
  const backend = await service(url, dataDir);
  const client_name = `Two Counties ${randomUUID().slice(0, 8)}`;
  for (const [{ siteName }, county] of [
    [inBong, 'Bong'],
    [elsewhere, 'Sinoe'],
  ] as const) {
    await backend.from('sites').update({ county, client_name }).eq('name', siteName).throwOnError();
  }
  const page = await openAs('dispatcher', DESK);
  await page.goto(`/admin/operations?q=${encodeURIComponent(client_name)}`);
  const posts = page.getByRole('region', { name: 'Posts' });
  await expect(posts).toContainText(elsewhere.siteName);
  await choose(page.getByLabel('Region', { exact: true }), 'Central Region');
  await expect(posts).toContainText(inBong.siteName);
  await expect(posts).not.toContainText(elsewhere.siteName);
  await page.reload();
  await expect(posts).toContainText(inBong.siteName);
  await expect(posts).not.toContainText(elsewhere.siteName);
  await choose(page.getByLabel('Region', { exact: true }), 'Sinoe');
  await expect(posts).toContainText(elsewhere.siteName);
  await expect(posts).not.toContainText(inBong.siteName);
});

test('by keyboard, a post is found and opened without passing the alerts', async ({
  openAs,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir, -0.05, 7);
  const page = await openAs('dispatcher', DESK);
  await page.goto('/admin/operations');
  await page.getByRole('searchbox', { name: 'Search posts and guards' }).fill(guard.siteName);
  await expect(barOf(page)).toHaveCount(1);
  const skip = page.getByRole('link', { name: 'Skip to posts' });
  for (const filter of ['Region', 'Supervisor', 'Client']) {
    await page.keyboard.press('Tab');
    await expect(page.getByLabel(filter, { exact: true })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  // The post, then its bar: both open the shift.
  const row = page.getByRole('button', { name: new RegExp(`^${guard.siteName}`) });
  for (const button of [row, barOf(page)]) {
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: guard.siteName })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(button).toBeFocused();
  }
});
