import { company } from '#company';
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

test('it names the hotline and other ways on', async ({ page }) => {
  await page.goto('/nowhere');
  await expect(page.getByRole('link', { name: company.hotline })).toHaveAttribute('href', /^tel:/);
  await expect(page.getByRole('link', { name: 'Staff Portal' })).toHaveAttribute('href', '/staff');
  await page.getByRole('link', { name: 'Contact us' }).click();
  await expect(page.getByRole('button', { name: 'Request Consultation' })).toBeInViewport();
});

test('it has its own styles', async ({ page }) => {
  await page.goto('/nowhere');
  const title = page.getByRole('heading', { name: '404' });
  await expect(title).toBeVisible();
  const size = await title.evaluate((element) =>
    Number.parseFloat(getComputedStyle(element).fontSize),
  );
  expect(size).toBeGreaterThan(60);
});
