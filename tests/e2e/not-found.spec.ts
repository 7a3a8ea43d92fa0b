// Any address that names no screen.
import { expect, test } from './support/test.ts';

for (const path of ['/nowhere', '/deployments/1', '/authentic']) {
  test(`${path} is the 404 page, with status 404`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByText('Oops! Page not found')).toBeVisible();
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveURL('/');
  });
}
