import type { Locator, Page } from '@playwright/test';
import { expect } from '#tests/e2e/support/test.ts';

/**
 * A double click whose halves have time between them: the second one follows, at the same place, when what the first one brings is
 * shown there.
 */
export async function doubleClick(page: Page, control: Locator, brought: Locator) {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('There is nothing to click.');
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await page.mouse.click(...middle);
  await expect(brought).toBeVisible();
  // Otherwise the second half would hit nothing, and prove nothing.
  await expect
    .poll(() =>
      brought.evaluate((found, at) => found.contains(document.elementFromPoint(...at)), middle),
    )
    .toBe(true);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}
