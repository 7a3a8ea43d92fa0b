import { expect, test } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { checkLargeText, excessOf } from '#tests/e2e/support/large-text.ts';
import { toastOf } from '#tests/e2e/support/toast.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on a phone and a desktop, ${colorScheme}`, {
    tag: '@everyday',
  }, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // Again at each width, with its toast.
      await page.getByRole('button', { name: 'Request Consultation' }).click();
      await expect(toastOf(page, 'Validation Error').first()).toBeVisible();
      await expect(page.getByText('Invalid email address')).toBeVisible();
      expect(await faultsOf(page), `${width} px`).toEqual([]);
    }
  });
}

test('nothing overflows a window of any width', { tag: '@long' }, async ({ page }) => {
  await page.goto('/');
  for (const width of [320, 360, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await excessOf(page), `${width} px`).toBe(0);
  }
});

test('large text leaves nothing outside the window of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await checkLargeText(page);
});

test('the chosen theme overrides the system’s before first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
  await page.goto('/');
  await expect(page.locator('html')).toHaveClass(/dark/);
});

test('all requests go to our origin, and no large script loads early', async ({
  page,
  baseURL,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto('/', { waitUntil: 'networkidle' });
  const origin = new URL(baseURL ?? page.url()).origin;
  expect(requests.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  const scripts = requests.filter((url) => url.endsWith('.js'));
  const sizes = await Promise.all(
    scripts.map(async (url) => (await (await page.request.get(url)).body()).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total, `bytes of ${scripts.join(', ')}`).toBeLessThan(20_000);
});
