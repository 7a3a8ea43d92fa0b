// The guard's own reports: what they say is on the phone, and a photo that nobody could see is asked about.
import { newGuard } from '#tests/e2e/support/new-guard.ts';
import { pageIn, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('a report that was never opened opens without a signal, and a HEIC photo is asked about', async ({
  browser,
  url,
  dataDir,
}) => {
  const { id, session } = await newGuard(url, dataDir);
  const client = await visitor(url);
  await client.auth.setSession(session);
  const { data: site } = await client.from('site_options').select().limit(1).single();
  await client
    .from('incidents')
    .insert({
      ...{ raised_by_user_id: id, site_id: site?.id ?? '', title: 'Gate found open' },
      ...{ category: 'other', severity: 'low' },
      description: 'The vehicle gate was open and unlocked.',
    })
    .throwOnError();
  const page = await pageIn(browser, url, session, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    serviceWorkers: 'allow',
  });
  const whole = page.waitForResponse(/\/rest\/v1\/incidents\?.*description/);
  await page.goto('/staff/report');
  expect((await whole).ok()).toBe(true);
  const row = page.getByRole('list', { name: 'My Reports' }).getByRole('button');
  const report = page.getByRole('dialog', { name: 'Incident' });
  await expect(row).toBeVisible();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await page.context().setOffline(true);
  await row.tap();
  await expect(report.getByText('The vehicle gate was open and unlocked.')).toBeVisible();
  await expect(report.getByText('could not be loaded')).toBeHidden();
  await page.context().setOffline(false);

  // The first box of such a file: the server looks at it, and no browser decodes it.
  const buffer = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
  const heic = { name: 'gate.heic', mimeType: 'image/heic', buffer };
  const files = report.getByRole('list', { name: 'Files being sent' });
  await report.getByLabel('Add photos or documents').setInputFiles(heic);
  await expect(files.getByRole('alert')).toContainText('The office can’t show HEIC photos');
  await files.getByRole('button', { name: 'Send Anyway' }).tap();
  await expect(files).toBeHidden();
  const { data } = await client.from('evidence').select('type').throwOnError();
  expect(data).toEqual([{ type: 'image/heic' }]);
  await page.context().close();
});
