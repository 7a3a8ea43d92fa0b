import { expect, test } from '#tests/e2e/support/test.ts';

test('the theme follows the system until the user chooses one, which is remembered', {
  tag: '@everyday',
}, async ({ page }) => {
  const root = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/auth');
  await expect(root).toHaveClass(/dark/);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).not.toHaveClass(/dark/);

  await page.getByRole('button', { name: 'Colour theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(root).toHaveClass(/dark/);
  await page.reload();
  await expect(root).toHaveClass(/dark/);

  await page.getByRole('button', { name: 'Colour theme' }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
  await expect(root).not.toHaveClass(/dark/);
});
