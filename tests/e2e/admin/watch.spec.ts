// The handover of the watch: the outgoing dispatcher signs, the next one reads and accepts.
import { expect, test } from '#tests/e2e/support/test.ts';

test('a watch is handed over: signed, shown as waiting, accepted by another, corrected below', async ({
  openAs,
}) => {
  const page = await openAs('dispatcher');
  const remarks = `Keys of the depot are in the safe (${Date.now()})`;
  await page.goto('/admin/operations');
  await page.getByRole('region', { name: 'Log' }).getByRole('link', { name: 'Hand Over' }).click();
  const screen = page.locator('#screen');
  for (const title of [
    'At the handover',
    'Open alerts',
    'Open calls',
    'Posts that lack a guard',
    'Log',
  ]) {
    await expect(screen.getByRole('region', { name: title })).toBeVisible();
  }
  await screen.getByLabel(/^Remarks for the next watch/).fill(remarks);
  await screen.getByRole('button', { name: 'Sign Handover' }).click();
  await expect(page.getByText('Handover signed')).toBeVisible();
  // Who may accept it is told before anybody presses a button.
  await expect(screen.getByText('You signed it, so another dispatcher')).toBeVisible();
  await expect(screen.getByRole('button', { name: 'I have read it' })).toHaveCount(0);
  await expect(screen.getByRole('textbox')).toHaveCount(0);
  const address = new URL(page.url()).pathname;

  await page.goto('/admin/operations');
  const waiting = page.getByRole('link', { name: /wait(s)? to be accepted$/ });
  await expect(waiting).toBeVisible();

  const next = await openAs('ops');
  await next.goto('/admin/operations/log');
  await next.getByRole('link').filter({ hasText: remarks }).click();
  await expect(next).toHaveURL(new RegExp(`${address}$`));
  await next.getByRole('button', { name: 'I have read it' }).click();
  await expect(next.locator('#screen').getByText(/^Accepted by /)).toBeVisible();
  // The log of the outgoing dispatcher follows.
  await page.goto('/admin/operations/log');
  await expect(page.getByRole('link').filter({ hasText: remarks })).toContainText('Accepted by');

  await page.goto(address);
  await page.getByRole('button', { name: 'Add Correction' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Correction').fill('The keys are with the patrol.');
  await dialog.getByRole('button', { name: 'Add Correction' }).click();
  await expect(dialog).toHaveCount(0);
  const corrections = screen.getByRole('region', { name: 'Corrections' });
  await expect(corrections).toContainText('The keys are with the patrol.');
  await expect(screen.getByRole('region', { name: 'Remarks' })).toContainText(remarks);
});

test('an alert leads to its post, and the post back to the alert', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('dispatcher');
  await page.goto('/admin/operations');
  const alert = page.getByRole('region', { name: 'Alerts' }).getByRole('listitem').first();
  await alert.getByRole('button', { name: /^Open the post/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('button', { name: /go to the alert$/ })
    .first()
    .click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('[id^="alert-"]:focus')).toBeVisible();
});
