// The width of a page, also with the text that a user has made larger.
import { expect, type Page } from '@playwright/test';

/** @returns by how many pixels the page is wider than the screen */
export const excessOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Text twice as large, set in the browser (WCAG 2.2, 1.4.4): it wraps, and nothing leaves the screen of a phone. */
export async function checkLargeText(page: Page) {
  const browser = await page.context().newCDPSession(page);
  const setText = (standard: number) =>
    browser.send('Page.setFontSizes', { fontSizes: { standard } });
  await browser.send('Page.enable');
  await setText(32);
  await expect.poll(() => excessOf(page)).toBe(0);
  await setText(16);
  await browser.detach();
}
