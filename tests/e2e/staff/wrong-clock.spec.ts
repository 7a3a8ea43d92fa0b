// No screen of a guard decides by the clock of the phone, which may be hours off or be set while the page is open.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { dutyCard, HOUR_MS, test } from '#tests/e2e/support/clock-dialog.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect } from '#tests/e2e/support/test.ts';

/** A round that is open now. @returns its name */
async function roundAt(url: string, dataDir: string, siteId: string): Promise<string> {
  const backend = await service(url, dataDir);
  const name = `Tour ${randomUUID().slice(0, 8)}`;
  const point = await backend
    .from('checkpoints')
    .insert({ site_id: siteId, name: 'Roof' })
    .select('id')
    .single()
    .throwOnError();
  await backend
    .from('tours')
    .insert({
      ...{ site_id: siteId, name, checkpoints: [point.data.id], tolerance_minutes: 30 },
      // Monrovia is on UTC.
      times: [new Date().toISOString().slice(11, 16)],
    })
    .throwOnError();
  return name;
}

async function setClock(page: Page, offset: number): Promise<void> {
  await page.clock.install({ time: Date.now() + offset });
  await page.clock.resume();
}

for (const [words, offset] of [
  ['three hours fast', 3 * HOUR_MS],
  ['three hours slow', -3 * HOUR_MS],
] as const) {
  test(`on a phone that is ${words} the round can be scanned, and the shift to come be confirmed`, async ({
    browser,
    url,
    dataDir,
  }) => {
    const guard = await guardOnShift(url, dataDir);
    const later = await guard.alsoOn(8, 16);
    const name = await roundAt(url, dataDir, guard.siteId);
    const page = await newPhone(browser, url, guard);
    await setClock(page, offset);
    await page.goto('/staff');
    await expect(page.getByRole('button', { name: `Scan, ${name}` })).toBeVisible();
    await expect(dutyCard(page)).toContainText(/You are 1 h( 1 min)? late/);
    const shifts = page.getByRole('region', { name: 'My Shifts' });
    await expect(shifts.getByRole('button', { name: `Confirm, ${later.siteName}` })).toBeVisible();
    await expect(shifts.getByRole('button', { name: `Confirm, ${guard.siteName}` })).toBeHidden();
    await page.context().close();
  });

  test(`a clock that was ${words} and is corrected without a signal records the true times`, async ({
    browser,
    line,
    url,
    dataDir,
  }) => {
    const guard = await guardOnShift(url, dataDir);
    const page = await newPhone(browser, line.url, guard);
    await setClock(page, offset);
    await page.goto('/staff');
    await expect(dutyCard(page)).toContainText(/You are 1 h( 1 min)? late/);
    await expect(dutyCard(page)).toContainText(/\d m from post/);
    await page.context().setOffline(true);
    await page.clock.setSystemTime(Date.now());
    await expect(dutyCard(page)).toContainText(/You are 1 h( \d min)? late/);
    const at = Date.now();
    await dutyCard(page)
      .getByRole('button', { name: `Clock in at ${guard.siteName}` })
      .click();
    await expect(dutyCard(page).getByText(/ — waiting to send$/)).toBeVisible();
    await page.context().setOffline(false);
    await expect(dutyCard(page)).not.toContainText('waiting to send');
    const { events } = await guard.stored();
    const stored = Date.parse(events[0]?.effective_at ?? '');
    expect(Math.abs(stored - at)).toBeLessThan(60_000);
    await page.context().close();
  });
}
