import type { Download, Page } from '@playwright/test';

/** Presses Export of the open screen, and chooses the kind of file. */
export async function exportFile(page: Page, kind: 'Excel' | 'CSV'): Promise<Download> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  return await download;
}
