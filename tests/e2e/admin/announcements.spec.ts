// The office writes to a site, sees who has read it, changes it and withdraws it.
import { randomUUID } from 'node:crypto';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { guardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('an announcement is counted, sent once, read, edited and withdrawn', async ({
  openAs,
  url,
  dataDir,
  databaseOf,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const title = `Radios ${randomUUID().slice(0, 8)}`;
  const page = await openAs('hr');
  await page.goto('/admin/people');
  await page.getByRole('link', { name: 'Announcements', exact: true }).click();
  await page.getByRole('button', { name: 'Write Announcement' }).click();
  const form = page.getByRole('dialog', { name: 'Write Announcement' });
  await expect(form.getByText(/^Reaches \d[\d,]* people today/)).toBeVisible();
  await form.getByText('Site', { exact: true }).click();
  await expect(form.getByText('Choose whom it is for to see how many it reaches.')).toBeVisible();
  await choose(form.getByRole('button', { name: 'Site' }), guard.siteName);
  await expect(form.getByText(/^Reaches 1 person today/)).toBeVisible();
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Text').fill('Charge them at night.');
  await form.getByLabel('Must read').check();
  expect(await faultsOf(page)).toEqual([]);

  await test.step('a failure keeps the text, and a repeat sends once', async () => {
    // Not `failing`, which ends live changes.
    await page.route(/publish_announcement/, (route) =>
      route.fulfill({ status: 500, json: { message: 'The office is away.', code: 'XX000' } }),
    );
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(form.getByText('The office is away.')).toBeVisible();
    await expect(form.getByLabel('Text')).toHaveValue('Charge them at night.');
    await page.unroute(/publish_announcement/);
    await form.getByRole('button', { name: 'Send' }).dblclick();
    await expect(page.getByText('Announcement sent')).toBeVisible();
    const stored = await (await databaseOf('hr'))
      .from('announcements')
      .select('id')
      .eq('title', title)
      .throwOnError();
    expect(stored.data).toHaveLength(1);
  });

  await page.getByRole('link', { name: `1 not read, ${title}` }).click();
  const readers = page.getByRole('table', { name: 'Readers' });
  await expect(readers.getByRole('link', { name: guard.person.fullName })).toBeVisible();
  await expect(readers.getByText('Not read')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Read by 0 of 1 people' })).toBeVisible();

  await test.step('who reads it is seen at once', async () => {
    const phone = await visitor(url);
    await phone.auth.setSession(guard.session);
    const { data: own } = await phone.rpc('my_announcements').throwOnError();
    await phone
      .rpc('confirm_announcement', { p_announcement_id: own[0]?.id ?? '', p_version: 1 })
      .throwOnError();
    await expect(page.getByRole('heading', { name: 'Read by 1 of 1 people' })).toBeVisible();
    await expect(page.getByText('No people match')).toBeVisible();
  });

  await test.step('an edit that must be read again starts over', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Announcement' });
    await edit.getByLabel('Text').fill('Charge them at noon.');
    await edit.getByLabel('Everybody reads it again').check();
    await edit.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('heading', { name: 'Read by 0 of 1 people' })).toBeVisible();
    await expect(page.getByText('Charge them at noon.')).toBeVisible();
  });

  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('Announcement withdrawn')).toBeVisible();
  await expect(page.getByText('Withdrawn', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0);
});
