// The sign-in page before, while and after the app takes over.
import { hold } from '#tests/e2e/support/gate.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const APP = /\/assets\/app-[^/]+\.js$/;

test('the form is readable before any code, and the app keeps what was typed, focus and press', async ({
  page,
}) => {
  const open = await hold(page, APP);
  await page.goto('/auth', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  await expect(page.getByText('Sign in to access your dashboard')).toBeVisible();
  await expect(page).toHaveTitle('Sign in · Statesman');
  await page.getByLabel('Email').fill('guard@statesman.example');
  await page.getByLabel('Password', { exact: true }).fill('Statesman-Demo');
  // In every frame until the app is there, some title is on the page.
  const gaps = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let missing = 0;
        const look = () => {
          if (!document.querySelector('h1')) missing += 1;
          if (document.querySelector('[data-static]')) requestAnimationFrame(look);
          else resolve(missing);
        };
        look();
      }),
  );
  open();
  expect(await gaps, 'frames without the form').toBe(0);
  await expect(page.getByLabel('Email')).toHaveValue('guard@statesman.example');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await page.keyboard.type('-1');
  await expect(password).toHaveValue('Statesman-Demo-1');
});

test('a press before the app has loaded signs in once it has', { tag: '@everyday' }, async ({
  page,
}) => {
  const open = await hold(page, APP);
  await page.goto('/staff', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('guard@statesman.example');
  await page.getByLabel('Password', { exact: true }).fill('Statesman-Demo-1');
  await page.getByRole('button', { name: 'Login' }).click();
  expect(new URL(page.url()).search).toBe('');
  open();
  await expect(page.getByText('Welcome back!')).toBeVisible();
  await expect(page).toHaveURL('/staff');
});

/** Compressed. A new import of the sign-in screen that costs much is better loaded behind it. */
const CODE_LIMIT = 140_000;

test('on a slow line little code comes before the fonts, and nothing moves', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const line = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', line);
  // Since version 150 an emulated line does not change what the page reads.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } }),
  );
  const open = await hold(page, APP);
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  await page.goto('/staff', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
  const painted = await page.evaluate(() => performance.now());
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Password', { exact: true });
  await expect(email).toHaveAttribute('autocomplete', 'username');
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  const boxes = async () => [await email.boundingBox(), await password.boundingBox()];
  const before = await boxes();
  expect(fonts).toEqual([]);
  open();
  await expect(page.locator('[data-static]')).toHaveCount(0);
  await expect.poll(() => fonts).toHaveLength(2);
  await page.evaluate(() => document.fonts.ready);
  expect(await boxes()).toEqual(before);
  const code = await page.evaluate((before) => {
    const files = performance
      .getEntriesByType('resource')
      .filter((entry) => entry.startTime < before);
    return files.reduce(
      (sum, file) =>
        file instanceof PerformanceResourceTiming && file.name.endsWith('.js')
          ? sum + file.encodedBodySize
          : sum,
      0,
    );
  }, painted);
  expect(code).toBeGreaterThan(CODE_LIMIT / 2);
  expect(code).toBeLessThan(CODE_LIMIT);
});

test('a tab that was pressed early opens', async ({ page }) => {
  const open = await hold(page, APP);
  await page.goto('/auth', { waitUntil: 'commit' });
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  open();
  await expect(page.getByLabel('Full Name')).toBeVisible();
});

test('with a session, no sign-in appears on the way to the portal', async ({ openAs }) => {
  const page = await openAs('guard');
  await page.goto('/staff', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeHidden();
});

test('a refused sign-in is shown beside the password too, until it is corrected', async ({
  page,
}) => {
  await page.goto('/auth');
  await page.getByLabel('Email').fill('guard@statesman.example');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('not the password');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(password).toHaveAccessibleDescription('Invalid login credentials');
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await password.fill('another one');
  await expect(password).not.toHaveAttribute('aria-invalid', 'true');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the tracker’s sign-in is readable', async ({ page }) => {
    await page.goto('/deployments');
    await expect(page.getByText('Access the deployment tracker')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeVisible();
  });
});
