import type { Page } from '@playwright/test';
import { newestMail } from '#tests/e2e/support/mail.ts';
import { emailOf, login, newPerson, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const OWN_PASSWORD = 'A-Walk-Along-Camp-Johnson-Road-4';

async function invite(page: Page, fullName: string, email: string, password: string) {
  await page.getByLabel('Full Name').fill(fullName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Temporary Password').fill(password);
  await page.getByRole('button', { name: 'Send Invitation' }).click();
}

test('an invited user chooses a password, and role changes take effect at once', {
  tag: '@long',
}, async ({ openAs, databaseOf, url, dataDir }) => {
  const person = newPerson();
  const database = await databaseOf('admin');
  const page = await openAs('admin');
  await page.goto('/admin/users');
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('columnheader')).toHaveText([
    'Name',
    'Email',
    'Roles',
    'Joined',
    'Actions',
  ]);
  await page.getByRole('button', { name: 'Invite User' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(
    'The user will be prompted to change the password on first login.',
  );
  await invite(page, '', '', 'short');
  for (const message of ['Full name is required', 'Email is required', /must be at least 8/]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await invite(page, person.fullName, emailOf('guard'), person.password);
  const toast = page.locator('[data-sonner-toast][data-front=true]');
  await expect(toast).toContainText('There is already an account with this email address.');
  await expect(dialog.getByLabel('Full Name')).toHaveValue(person.fullName);
  await invite(page, person.fullName, person.email, person.password);
  await expect(toast).toContainText('User Invited');
  await expect(toast).toContainText(`Invitation sent to ${person.email}`);
  // The newest are on the first page.
  const row = page.getByRole('row').filter({ hasText: person.email });
  await expect(row).toContainText('Invited');

  const theirs = await openAs('visitor');
  const mail = await newestMail(dataDir, person.email, 'invite');
  expect(mail.text).not.toContain(person.password);
  await theirs.goto('/admin');
  await login(theirs, person.email, person.password);
  await expect(theirs.getByRole('heading', { name: 'Choose your password' })).toBeVisible();
  // The sign-in form, which had the focus, is gone.
  await expect(theirs.getByLabel('New password')).toBeFocused();
  await theirs.getByLabel('New password').fill(OWN_PASSWORD);
  await theirs.getByRole('button', { name: 'Save and continue' }).click();
  await expect(theirs.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(row).not.toContainText('Invited');

  // Each change appears live on their screen.
  await row.getByRole('button', { name: `Manage roles of ${person.fullName}` }).click();
  await dialog.getByRole('button', { name: 'Add Role' }).click();
  await expect(dialog.getByText('Choose a role first')).toBeVisible();
  await dialog.getByLabel('Role', { exact: true }).selectOption('HR');
  await dialog.getByRole('button', { name: 'Add Role' }).click();
  await expect(toast).toContainText('Role Added');
  await dialog.getByLabel('Role', { exact: true }).selectOption('HR');
  await dialog.getByRole('button', { name: 'Add Role' }).click();
  await expect(toast).toContainText('This user already has this role.');
  const entry = theirs.getByRole('link', { name: 'People' });
  await expect(entry).toBeVisible();
  await dialog.getByLabel('Role', { exact: true }).selectOption('Supervisor');
  await dialog.getByLabel('Site').click();
  await page.getByPlaceholder('Search sites').fill('freeport container');
  await page.getByRole('option', { name: /^Freeport Container Yard/ }).click();
  await dialog.getByRole('button', { name: 'Add Role' }).click();
  await expect(dialog.getByText('Supervisor (Freeport Container Yard)')).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove HR' }).click();
  await expect(toast).toContainText('Role Removed');
  await expect(entry).toBeHidden();
  const { data: held } = await database
    .from('user_roles')
    .select('role, sites(name), profiles!inner(email)')
    .eq('profiles.email', person.email);
  expect(held).toMatchObject([{ role: 'supervisor', sites: { name: 'Freeport Container Yard' } }]);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByLabel('Search users').fill(person.fullName);
  await page.getByLabel('Role', { exact: true }).selectOption('Supervisor');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: `More about ${person.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Disable account' }).click();
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(toast).toContainText('Account disabled');
  await expect(row).toContainText('Disabled');
  await theirs.reload();
  await expect(theirs.getByText('Your session has ended')).toBeVisible();
  const { auth } = await visitor(url);
  const credentials = { email: person.email, password: OWN_PASSWORD };
  expect((await auth.signInWithPassword(credentials)).error?.code).toBe('user_banned');
  await page.getByRole('button', { name: `More about ${person.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Enable account' }).click();
  await expect(toast).toContainText('Account enabled');
  await expect(row).not.toContainText('Disabled');
  expect((await auth.signInWithPassword(credentials)).error).toBeNull();
  await page.getByRole('button', { name: `More about ${person.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await dialog.getByRole('button', { name: 'Sign Out' }).click();
  await expect(toast).toContainText('Signed out everywhere');
  expect((await auth.refreshSession()).error).not.toBeNull();
});

test('admins can’t disable or demote themselves, and the last admin stays', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto(`/admin/users?q=${emailOf('admin')}`);
  await expect(page.getByRole('row').nth(1)).toContainText('You');
  await expect(page.getByRole('button', { name: /^More about/ })).toBeHidden();
  await page.getByRole('button', { name: /^Manage roles of/ }).click();
  await expect(page.getByText("You can't add roles to your own account")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Role' })).toBeHidden();
  await page.getByRole('button', { name: 'Remove Admin' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Your Admin Role' });
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(question.getByRole('alert')).toContainText("The last admin can't be removed.");
});
