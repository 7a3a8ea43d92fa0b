import { expect, test } from '#tests/e2e/support/test.ts';

for (const path of ['/nowhere', '/deployments/1', '/authentic', '/staff/anything-unknown']) {
  test(`${path} is the 404 page, with status 404`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByText('Oops! Page not found')).toBeVisible();
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveURL('/');
  });
}

test('it has its own styles', async ({ page }) => {
  await page.goto('/nowhere');
  const title = page.getByRole('heading', { name: '404' });
  await expect(title).toBeVisible();
  const size = await title.evaluate((element) =>
    Number.parseFloat(getComputedStyle(element).fontSize),
  );
  expect(size).toBeGreaterThan(60);
});
