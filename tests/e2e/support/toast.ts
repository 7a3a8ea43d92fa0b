// A screen shows one toast at a time; the one before may still be leaving, with the same text or a button of its own.
import { expect, type Locator, type Page } from '@playwright/test';

/** @param text a part of it that no other toast of the test has */
export const toastOf = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-sonner-toast][data-removed=false]').filter({ hasText: text });

/** Waits for the toast and points at it: until the mouse leaves it stays, however long the steps in between take. */
export async function holdToast(page: Page, text: string | RegExp): Promise<Locator> {
  const toast = toastOf(page, text);
  await toast.hover();
  // When another one is removed, it counts again until it is pointed at once more.
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(1);
  await toast.hover({ position: { x: 8, y: 8 } });
  return toast;
}
