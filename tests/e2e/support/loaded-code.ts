import type { Page } from '@playwright/test';

/**
 * Waits for code that a screen loads behind itself, before the signal goes.
 * @param file what the file is called before its hash
 */
export async function codeIsLoaded(page: Page, file: string): Promise<void> {
  await page.waitForFunction(
    (part) => performance.getEntriesByType('resource').some(({ name }) => name.includes(part)),
    `/assets/${file}-`,
  );
}
