// The auth service answers 503 when the access token has to be refreshed: while it restarts, behind a proxy.
import type { Page } from '@playwright/test';
import { login, signUp } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** What somebody waits before they believe that the app hangs. */
const PATIENCE_MS = 3_000;

/** The access token has run out. On a page without the app, which would refresh it. */
async function expireToken(page: Page) {
  await page.goto('/robots.txt');
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => /^sb-.*-auth-token$/.test(name)) ?? '';
    const stored = { ...JSON.parse(localStorage.getItem(key) ?? ''), expires_at: 1 };
    localStorage.setItem(key, JSON.stringify(stored));
  });
}

/** @returns the tokens with which rows are requested from now on */
async function breakAuth(page: Page): Promise<string[]> {
  const tokens: string[] = [];
  page.on('request', (request) => {
    const { authorization = '' } = request.headers();
    if (/\/rest\/v1\//.test(request.url())) tokens.push(authorization);
  });
  await page.route('**/auth/v1/**', (route) =>
    route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>503</h1>' }),
  );
  return tokens;
}

test('the guard’s first visit: a reason within 3 s, and the portal once the service is back', {
  tag: '@long',
}, async ({ page, url }) => {
  const person = await signUp(url);
  await page.goto('/staff');
  await login(page, person.email, person.password);
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  await expireToken(page);
  // As in a browser that has no copies of the data.
  await page.evaluate(() => indexedDB.deleteDatabase('last-seen'));
  const tokens = await breakAuth(page);
  await page.goto('/staff');
  const failure = page.getByRole('alert').filter({ hasText: 'Your profile could not be loaded' });
  await expect(failure).toContainText('The server is not available right now', {
    timeout: PATIENCE_MS,
  });
  expect(tokens).toEqual([]);
  await page.unroute('**/auth/v1/**');
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
});

test('the guard’s next visit: the stored screen within 3 s, and nothing asked as a visitor', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('guard', { viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.goto('/staff');
  await expect(page.getByText(/^You are (not )?clocked in/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'My Shifts' })).toBeVisible();
  await expireToken(page);
  const tokens = await breakAuth(page);
  await page.clock.install();
  await page.goto('/staff');
  await expect(page.getByText(/^You are (not )?clocked in/).first()).toBeVisible({
    timeout: PATIENCE_MS,
  });
  await expect(page.getByText('The server is not available right now').first()).toBeVisible();
  // After 30 s supabase-js gives up refreshing.
  let seconds = 0;
  await expect
    .poll(async () => {
      await page.clock.fastForward(5_000);
      seconds += 5;
      return seconds;
    })
    .toBeGreaterThan(60);
  expect(tokens).toEqual([]);
});

test('the office says within 3 s that it can’t load, and loads by itself later', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/clients');
  await expect(page.locator('main li h3').first()).toBeVisible();
  await expireToken(page);
  await breakAuth(page);
  await page.goto('/admin/clients');
  await expect(page.getByRole('alert').first()).toContainText('could not be loaded', {
    timeout: PATIENCE_MS,
  });
  await page.unroute('**/auth/v1/**');
  await expect(page.locator('main li h3').first()).toBeVisible();
});
