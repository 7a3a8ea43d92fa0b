// Views of a list: filters, order and columns under a name, opened again elsewhere, and the usual view to the letter.
import type { BrowserContextOptions, Page } from '@playwright/test';
import { newGuard } from '#tests/e2e/support/new-guard.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Views' });
const openViews = (page: Page) => page.getByRole('button', { name: 'Views', exact: true }).click();
const column = (page: Page, name: string) => page.getByRole('columnheader', { name });

test('a view is saved, renamed, updated, opened and deleted; its columns are remembered', async ({
  browser,
  url,
  dataDir,
}) => {
  const { id, session } = await newGuard(url, dataDir);
  await (await service(url, dataDir))
    .from('user_roles')
    .insert({ user_id: id, role: 'hr' })
    .throwOnError();
  const open = (options: BrowserContextOptions) => pageIn(browser, url, session, options);
  const page = await open({ viewport: { width: 1280, height: 860 } });
  await page.goto('/admin/people?role=guard&sort=-name');
  await expect(column(page, 'Phone')).toBeVisible();

  await openViews(page);
  await dialogOf(page).getByRole('checkbox', { name: 'Phone' }).uncheck({ force: true });
  await expect(column(page, 'Phone')).toBeHidden();
  await dialogOf(page).getByLabel('Save the list as it is now').fill('Guards, Z to A');
  await page.keyboard.press('Enter');
  const saved = dialogOf(page).getByRole('list', { name: 'Saved views' });
  await expect(saved.getByRole('button', { name: 'Guards, Z to A', exact: true })).toBeVisible();

  await saved.getByRole('button', { name: 'Usual view' }).click();
  await expect(page).toHaveURL(/\/admin\/people$/);
  await expect(column(page, 'Phone')).toBeVisible();

  await test.step('Ctrl+K opens it from another screen', async () => {
    await page.goto('/admin/leave');
    await expect(page.getByRole('heading', { name: 'Leave Requests', level: 2 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Screen, action, name, number or phone').fill('Z to A');
    await page.getByRole('option', { name: 'Guards, Z to A · People' }).click();
    await expect(page).toHaveURL(/role=guard&sort=-name/);
    await expect(column(page, 'Name')).toBeVisible();
    await expect(column(page, 'Phone')).toBeHidden();
  });

  await test.step('another device has the same columns and views', async () => {
    const phone = await open({ viewport: { width: 360, height: 740 }, hasTouch: true });
    await phone.goto('/admin/people?role=guard');
    await expect(phone.getByRole('list', { name: 'People' })).toBeVisible();
    await expect(phone.getByRole('list', { name: 'People' }).getByText('Phone')).toHaveCount(0);
    await openViews(phone);
    await dialogOf(phone).getByRole('button', { name: 'Rename Guards, Z to A' }).tap();
    await dialogOf(phone).getByLabel('New name of Guards, Z to A').fill('Guards');
    await dialogOf(phone).getByRole('button', { name: 'Rename', exact: true }).click();
    const renamed = dialogOf(phone).getByRole('button', { name: 'Guards', exact: true });
    await expect(renamed).toBeVisible();
    // To what the list shows here: without the order.
    await dialogOf(phone).getByRole('button', { name: 'Update Guards' }).click();
    await expect(phone.getByText('View updated')).toBeVisible();
    await renamed.click();
    await expect(phone).toHaveURL(/\/admin\/people\?role=guard$/);
    await phone.context().close();
  });

  await page.reload();
  await openViews(page);
  await dialogOf(page).getByRole('button', { name: 'Delete Guards' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('View deleted')).toBeVisible();
  await page.context().close();
});
