// How long records are kept, and the export and erasure of one person's data.
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from '#tests/e2e/support/test.ts';

test('an admin shortens a period after a question, and the people concerned read the new one', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  await page.goto('/admin/activity');
  await page.getByRole('link', { name: 'Retention' }).click();
  const row = page.getByRole('row', { name: /Welfare checks/ });
  await expect(row.getByText('2 years')).toBeVisible();
  await page.getByRole('button', { name: 'Change the period: Welfare checks' }).click();
  const form = page.getByRole('dialog', { name: 'Welfare checks' });
  await form.getByLabel('Days').fill('100');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(form.getByText('Days must be a whole number from 180 to 3650')).toBeVisible();
  await form.getByLabel('Days').fill('365');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  const question = page.getByRole('dialog', { name: 'Shorten the Period' });
  await expect(question).toContainText('for 1 year instead of 2 years');
  await question.getByRole('button', { name: 'Cancel' }).click();
  // What was typed is still there.
  await expect(form.getByLabel('Days')).toHaveValue('365');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await question.getByRole('button', { name: 'Shorten Period' }).click();
  await expect(page.getByText('Period changed')).toBeVisible();
  await expect(row.getByText('1 year', { exact: true })).toBeVisible();

  const theirs = await openAs('guard');
  await theirs.goto('/account');
  const kept = theirs.getByRole('region', { name: 'What we keep about you' });
  await expect(kept.getByText('Your answers to welfare checks')).toBeVisible();
  const downloading = theirs.waitForEvent('download');
  await kept.getByRole('button', { name: 'Download My Data' }).click();
  const file = await (await downloading).path();
  const archive = (await readFile(file)).toString('latin1');
  expect(archive.startsWith('PK')).toBe(true);
  expect(archive).toContain('tables/assignments.csv');

  await page.getByRole('button', { name: 'Change the period: Welfare checks' }).click();
  await form.getByLabel('Days').fill('730');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(row.getByText('2 years')).toBeVisible();
});

test('a person is erased after they have left, with their typed name', async ({ openAs }) => {
  const name = `Varney Zubah ${randomInt(1_000_000)}`;
  const page = await openAs('admin');
  await page.goto('/admin/people/new');
  await page.getByLabel('Full Name').fill(name);
  await page.getByLabel('Phone').fill(`077${String(randomInt(10_000_000)).padStart(7, '0')}`);
  await page.getByLabel('Salary (USD)').fill('180');
  await page.getByRole('button', { name: 'Hire', exact: true }).click();
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();

  const erase = page.getByRole('button', { name: 'Erase Person' });
  await erase.click();
  const dialog = page.getByRole('dialog', { name: 'Erase Person' });
  await expect(dialog.getByText('The employment has not ended.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('menuitem', { name: 'End employment' }).click();
  await page.getByRole('button', { name: 'End Employment' }).click();
  await expect(page.getByText('Employment ended')).toBeVisible();

  await erase.click();
  await dialog.getByLabel(/to confirm/).fill('Somebody Else');
  await dialog.getByRole('button', { name: 'Erase for Good' }).click();
  await expect(dialog.getByText(`Type "${name}"`, { exact: true })).toBeVisible();
  await dialog.getByLabel(/to confirm/).fill(name.toUpperCase());
  await dialog.getByRole('button', { name: 'Erase for Good' }).click();
  await expect(page.getByText('Person erased')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Former guard \d{4}$/ })).toBeVisible();
});
