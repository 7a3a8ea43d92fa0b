import { type DemoName, emailOf, login } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('the command menu accepts typing at once', async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/clients');
  const add = page.getByRole('button', { name: 'Add Client' });
  await add.focus();
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: /Go to/ });
  await expect(input).toBeFocused();
  await page.keyboard.type('payr');
  await page.keyboard.press('Escape');
  await expect(input).toBeHidden();
  await expect(add).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('payr');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/admin\/payroll/);
});

const ROLES: DemoName[] = ['admin', 'ops', 'supervisor', 'dispatcher', 'hr', 'finance'];

test('the command menu opens the page of a person for every role', { tag: '@long' }, async ({
  openAs,
  databaseOf,
}) => {
  const { data: person } = await (await databaseOf('admin'))
    .from('profiles')
    .select('id, full_name')
    .eq('email', 'guard@statesman.example')
    .single()
    .throwOnError();
  const name = person.full_name ?? '';
  for (const role of ROLES) {
    await test.step(role, async () => {
      const page = await openAs(role, { viewport: { width: 1280, height: 800 } });
      await page.goto('/admin');
      await page.getByRole('button', { name: 'Go to' }).focus();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('guard@statesman');
      await page.getByRole('option', { name }).click();
      await expect(page).toHaveURL(`/admin/people/${person.id}`);
      await expect(page.getByRole('heading', { name })).toBeVisible();
    });
  }
});

test('the command menu searches in a list, has what was used most first, and forgets it at sign-out', {
  tag: '@long',
}, async ({ openAs }) => {
  // A session of its own: signing the shared one out would end it under other journeys.
  const page = await openAs('visitor', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/clients');
  await login(page, emailOf('admin'));
  await expect(page.getByRole('button', { name: 'Add Client' })).toBeVisible();
  const option = page.getByRole('option');
  const used = () => page.evaluate(() => localStorage.getItem('finder-use'));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('post orders freeport');
  await page.getByRole('option', { name: 'Post Orders: freeport' }).click();
  await expect(page).toHaveURL('/admin/roster/posts/orders?q=freeport');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('hire guard');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/people/new');
  await page.keyboard.press('Control+k');
  await expect(option.first()).toHaveText('Hire a Person');
  await page.keyboard.press('Escape');
  expect(await used()).toContain('/admin/people/new');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  expect(await used()).toBeNull();
});
