import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { choose } from '#tests/e2e/support/choose.ts';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { emailOf, signUp, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('a change is found by table, person and record, and shows the old values', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const database = await databaseOf('ops');
  const name = `Harbour Stores ${randomUUID().slice(0, 8)}`;
  const id = randomUUID();
  const row = { id, name, number_of_guards: 3, monthly_rate: 900, location: 'Vai Town' };
  await database.from('clients').insert(row).throwOnError();
  await database.from('clients').update({ location: 'Bushrod' }).eq('id', id).throwOnError();
  await database.from('clients').delete().eq('id', id).throwOnError();

  const page = await openAs('admin');
  await page.goto('/admin/activity?table=clients');
  const table = page.getByRole('table', { name: 'Activity' });
  await expect(table.getByRole('columnheader')).toHaveText(['When', 'Action', 'What Happened']);
  // Newest first.
  const own = table.getByRole('row').filter({ hasText: name });
  await expect(own.first()).toContainText('Deleted');
  await page.getByLabel('Action').selectOption('Changed');
  // An entry of a change has what changed alone; the name is from the record that was deleted.
  await expect(own).toHaveCount(1);
  await expect(own).toContainText(`changed location of the client ${name}`);
  await own.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'What Changed' });
  await expect(dialog.getByRole('definition')).toContainText('Before: Vai TownAfter: Bushrod');

  await dialog.getByRole('button', { name: 'History of this record' }).click();
  await expect(page).toHaveURL(new RegExp(`row=${id}`));
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').nth(1)).toContainText('Deleted');
  await expect(table.getByRole('row').nth(3)).toContainText('Added');
  const download = await exportFile(page, 'CSV');
  const file = await readFile(await download.path(), 'utf8');
  expect(file.trim().split('\n')).toHaveLength(4);
  await page.getByLabel('Person').click();
  await page.getByPlaceholder('Search people').fill(emailOf('hr'));
  await page
    .getByRole('option')
    .filter({ hasText: emailOf('hr') })
    .click();
  await expect(page.getByText('No entries match.')).toBeVisible();

  // Forward page by page, then back.
  await page.goto('/admin/activity');
  const first = await table.getByRole('row').nth(1).textContent();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(page).toHaveURL(/before=/);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(page).not.toHaveURL(/before=/);
  // Newer entries may have come above it.
  await expect.poll(() => table.getByRole('row').allTextContents()).toContain(first);
});

test('sign-ins and failures are listed with their device and filtered by person', {
  tag: '@long',
}, async ({ openAs, url }) => {
  const person = await signUp(url);
  await (await visitor(url)).auth.signInWithPassword({ ...person, password: 'Not-The-Word-1' });
  const page = await openAs('admin');
  await page.goto('/admin/activity');
  await page.getByRole('tab', { name: 'Security Events' }).click();
  await choose(page.getByLabel('Event', { exact: true }), 'Sign-in failed');
  const table = page.getByRole('table', { name: 'Security events' });
  await expect(table.getByRole('row').filter({ hasText: person.email })).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove Sign-in failed' }).click();
  await page.getByLabel('Person').click();
  await page.getByPlaceholder('Search people').fill(person.email);
  await page.getByRole('option').filter({ hasText: person.email }).click();
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table).toContainText('Account created');
});
