import type { Locator } from '@playwright/test';

/** Chooses from a searchable list: opens it, types, and takes the only match. */
export async function choose(field: Locator, name: string): Promise<void> {
  await field.click();
  const page = field.page();
  await page.getByRole('dialog').last().getByRole('combobox').fill(name);
  await page.getByRole('option').filter({ hasText: name }).click();
}
