// The stored session, and sign-in methods that a server can offer.
import type { Page } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { login, signUp, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** Stores a session with an expired access token in the browser. */
async function store(page: Page, url: string, change: Partial<Session> = {}) {
  const { auth } = await visitor(url);
  const { data, error } = await auth.signInWithPassword(await signUp(url));
  if (error) throw error;
  const past = Math.floor(Date.now() / 1000) - 60;
  const session: Session = { ...data.session, expires_at: past, ...change };
  // On a page without the app, which would use the session at once.
  await page.goto('/robots.txt');
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `sb-${new URL(url).hostname.split('.')[0]}-auth-token`,
    JSON.stringify(session),
  ] as const);
  return session;
}

/** @returns how many responses the browser has cached for offline use */
function keptAnswers(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('last-seen');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const count = opening.result.transaction('answers').objectStore('answers').count();
          count.onsuccess = () => resolve(count.result);
          count.onerror = () => reject(count.error);
        };
      }),
  );
}

test.describe('logging out offline works at once, and the server ends the session later', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const [token, change] of [
    ['is valid', {}],
    ['is refused by the server', { access_token: 'a.b.c' }],
    ['has run out', { expires_at: 1 }],
  ] as const) {
    test(`when the token ${token}`, { tag: '@long' }, async ({ page, url }) => {
      const session = await store(page, url);
      await page.goto('/staff');
      await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
      const kept = await page.evaluate((changed) => {
        const key = Object.keys(localStorage).find((name) => /^sb-.*-auth-token$/.test(name)) ?? '';
        const stored = { ...JSON.parse(localStorage.getItem(key) ?? ''), ...changed };
        localStorage.setItem(key, JSON.stringify(stored));
        return { refresh_token: String(stored.refresh_token) };
      }, change);
      expect(kept.refresh_token).not.toBe(session.refresh_token);
      await page.context().setOffline(true);
      await page.reload();
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page.getByText('Logged out')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
      await expect(page.getByText('Your session has ended')).toBeHidden();
      await expect.poll(() => keptAnswers(page)).toBe(0);
      await page.context().setOffline(false);
      const next = await signUp(url);
      await login(page, next.email, next.password);
      await expect(page.getByRole('banner')).toContainText(next.email);
      await expect
        .poll(() => page.evaluate(() => localStorage.getItem('sessions-to-revoke')))
        .toBeNull();
      const { error } = await (await visitor(url)).auth.refreshSession(kept);
      expect(error?.code).toBe('refresh_token_not_found');
      await expect(page.getByRole('banner')).toContainText(next.email);
    });
  }
});

test('an expired session is refreshed, with retries on a bad network', {
  tag: '@long',
}, async ({ page, url }) => {
  await store(page, url);
  let attempts = 0;
  await page.route('**/token?grant_type=refresh_token', (route) => {
    attempts += 1;
    return attempts < 3 ? route.abort() : route.continue();
  });
  await page.goto('/staff');
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  expect(attempts).toBe(3);
});

test('a refused session is removed with a message, and the deep link stays', {
  tag: '@long',
}, async ({ page, url }) => {
  await store(page, url, { refresh_token: 'never-issued' });
  await page.goto('/deployments');
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await expect(page.getByText('Access the deployment tracker')).toBeVisible();
  await expect(page).toHaveURL('/deployments');
  const left = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => /^sb-/.test(key)),
  );
  expect(left).toEqual([]);
  const next = await signUp(url);
  await page.getByLabel('Email').fill(next.email);
  await page.getByLabel('Password', { exact: true }).fill(next.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Access the deployment tracker')).toBeHidden();
  await expect(page.getByText('Your session has ended')).toBeHidden();
});

test('a malformed session is removed silently', { tag: '@long' }, async ({ page, url }) => {
  await store(page, url, { refresh_token: '' });
  await page.goto('/staff');
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  await expect(page.getByText('Your session has ended')).toBeHidden();
});

test('exactly the providers that the server offers have a button', {
  tag: '@long',
}, async ({ page }) => {
  await page.route('**/auth/v1/settings', async (route) => {
    const response = await route.fetch();
    const settings = await response.json();
    const external = { ...settings.external, google: true, azure: true, harbour_id: true };
    await route.fulfill({ response, json: { ...settings, external, saml_enabled: true } });
  });
  await page.goto('/staff');
  await expect(page.getByRole('button', { name: /^Continue with/ })).toHaveText([
    'Continue with Microsoft',
    'Continue with Google',
    'Continue with Harbour Id',
  ]);
  await page.getByRole('button', { name: 'Sign in with your company' }).click();
  await page.getByLabel('Work email').fill('musu@harbour.example');
  const asked = page.waitForRequest('**/auth/v1/sso');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  expect((await asked).postDataJSON()).toMatchObject({
    domain: 'harbour.example',
    redirect_to: page.url(),
  });
  await expect(page.getByRole('listitem').filter({ hasText: 'Error' })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const left = page.waitForRequest(/\/auth\/v1\/authorize\?/);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const { searchParams } = new URL((await left).url());
  expect(searchParams.get('provider')).toBe('google');
  expect(new URL(searchParams.get('redirect_to') ?? '').pathname).toBe('/staff');
});

test('without providers there is only the form', { tag: '@long' }, async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Forgot password?' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Continue with|company/ })).toHaveCount(0);
});
