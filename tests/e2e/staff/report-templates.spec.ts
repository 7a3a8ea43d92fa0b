import { randomUUID } from 'node:crypto';
import { chromium } from '@playwright/test';
import { newGuard } from '#tests/e2e/support/new-guard.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('a template asks what to write, and a voice note is recorded', async ({
  url,
  dataDir,
  openAs,
}) => {
  const ops = await openAs('ops');
  await ops.goto('/admin/incidents/templates?open=new');
  const title = `Pump stopped ${randomUUID().slice(0, 8)}`;
  const form = ops.getByRole('dialog', { name: 'Add Template' });
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Category').selectOption('safety');
  await form.getByLabel('Severity').selectOption('medium');
  await form.getByLabel('Questions').fill('Which pump?\nSince when?');
  await form.getByRole('button', { name: 'Add Template' }).click();
  await expect(ops.getByRole('row').filter({ hasText: title })).toContainText('Every site');

  const { session } = await newGuard(url, dataDir);
  // A microphone that hums.
  const { launchOptions } = test.info().project.use;
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  });
  try {
    const page = await pageIn(browser, url, session, { viewport: { width: 360, height: 740 } });
    await page.goto('/staff');
    await page.getByRole('button', { name: 'Report Incident' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report Incident' });
    await dialog.getByLabel('Site').click();
    await page.getByRole('listbox').getByRole('option').first().click();
    await dialog.getByRole('button', { name: title }).click();
    await expect(dialog.getByLabel('Title')).toHaveValue(title);
    await expect(dialog.getByLabel('Description')).toHaveValue('Which pump?\nSince when?');
    await dialog.getByLabel('Description').fill('Which pump? The second.\nSince when? Midnight.');
    await dialog.getByRole('button', { name: 'Record Voice Note' }).click();
    await dialog.getByRole('button', { name: 'Stop Recording' }).click();
    await expect(dialog.getByLabel('Play voice-note-1.webm')).toBeVisible();
    await dialog.getByLabel('Witnesses').fill('Ma Hawa, 0770 123 456');
    await dialog.getByRole('button', { name: 'Submit Report' }).click();
    await expect(page.getByText('Incident Reported')).toBeVisible();
  } finally {
    await browser.close();
  }
  const stored = await (await service(url, dataDir))
    .from('incidents')
    .select('category, severity, witnesses, happened_at, evidence(type)')
    .eq('title', title)
    .single()
    .throwOnError();
  expect(stored.data).toEqual({
    category: 'safety',
    severity: 'medium',
    witnesses: 'Ma Hawa, 0770 123 456',
    happened_at: null,
    evidence: [{ type: 'audio/webm' }],
  });
});
