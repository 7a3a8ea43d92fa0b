import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { newestMail } from '#tests/e2e/support/mail.ts';
import { appCode, login, type NewPerson, signUp, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** A new user, signed in on the account screen. */
async function onAccount(page: Page, url: string): Promise<NewPerson> {
  const person = await signUp(url);
  await page.goto('/account');
  await login(page, person.email, person.password);
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
  return person;
}

async function signedIn(url: string, person: NewPerson) {
  const client = await visitor(url);
  const { error } = await client.auth.signInWithPassword(person);
  if (error) throw error;
  return client;
}

test('the account is one click from every portal, and its name can be changed', async ({
  page,
  url,
}) => {
  const person = await signUp(url);
  await page.goto('/deployments');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('link', { name: `Account of ${person.email}` }).click();
  await expect(page).toHaveURL('/account');
  const name = page.getByLabel('Full name');
  await expect(name).toHaveValue(person.fullName);
  await name.fill('Saah Kollie');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name saved')).toBeVisible();
  await page.reload();
  await expect(name).toHaveValue('Saah Kollie');
  await page.getByRole('link', { name: 'Staff Portal' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: /^Account of/ })).toBeVisible();
});

test('a new email address takes effect after both mails are confirmed', { tag: '@long' }, async ({
  page,
  url,
  dataDir,
}) => {
  const { email } = await onAccount(page, url);
  const next = `new.${email}`;
  await page.getByLabel('New email').fill(next);
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByText('Waiting for your confirmation')).toBeVisible();
  await expect(page.getByLabel('New email')).toHaveValue('');

  const [atOld, atNew] = await Promise.all([
    newestMail(dataDir, email, 'email_change'),
    newestMail(dataDir, next, 'email_change'),
  ]);
  await page.goto(atOld.link);
  await expect(page.getByText('The first of two confirmations is done')).toBeVisible();
  await expect(page).toHaveURL('/account');
  await page.goto(atNew.link);
  await expect(page.getByText('Your e-mail address is changed')).toBeVisible();
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('link', { name: `Account of ${next}` })).toBeVisible();
  await expect(page.getByText('Waiting for your confirmation')).toHaveCount(0);
});

test('a new password signs out other devices', { tag: '@long' }, async ({ page, url }) => {
  const person = await onAccount(page, url);
  const elsewhere = await signedIn(url, person);
  await page.getByLabel('New password').fill(person.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(
    page.getByText('The new password must be different from the old one.'),
  ).toBeVisible();
  await page.getByLabel('New password').fill('Ducor-Hill-At-Dawn-3');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(page.getByLabel('New password')).toHaveValue('');
  expect((await elsewhere.auth.getUser()).data.user).toBeNull();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
});

test('an authenticator app is added with recovery codes, and removed', { tag: '@long' }, async ({
  page,
  url,
}) => {
  const person = await onAccount(page, url);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  const key = await page.getByText(/^([A-Z2-7]{4} )+/).textContent();
  const secret = key?.replaceAll(' ', '') ?? '';
  await page.getByLabel('Code').fill('123 456');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The code is wrong')).toBeVisible();
  await page.getByLabel('Code').fill(await appCode(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();

  // The first factor comes with recovery codes.
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  const listed = page.getByRole('dialog').getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const saved = await readFile(await file.path(), 'utf8');
  expect(saved).toContain(codes.join('\n'));
  expect(saved).toContain(person.email);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(codes[9] ?? '')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'I have saved them' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('You have 10 left.')).toBeVisible();

  await page.getByRole('button', { name: 'Create new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click();
  await expect(listed).toHaveCount(10);
  await expect(page.getByText(codes[0] ?? '')).toBeHidden();
  await page.getByRole('button', { name: 'I have saved them' }).click();

  await page.getByRole('button', { name: 'Remove Authenticator app' }).click();
  await expect(page.getByText(/your password alone opens your account/)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('A password alone opens your account.')).toBeVisible();
  const { auth } = await signedIn(url, person);
  expect((await auth.getUser()).data.user?.factors ?? []).toEqual([]);
});

test('a device signed out from another shows why', {
  tag: '@long',
}, async ({ page, url }) => {
  const person = await onAccount(page, url);
  const [first, second] = [await signedIn(url, person), await signedIn(url, person)];
  await page.reload();
  const devices = page.getByRole('listitem').filter({ hasText: 'Last seen' });
  // Including the session from sign-up.
  await expect(devices).toHaveCount(4);
  await expect(devices.filter({ hasText: 'This device' })).toContainText('Chrome on Linux');
  await page.getByRole('button', { name: 'Sign out Unknown device' }).first().click();
  await expect(devices).toHaveCount(3);
  await page.getByRole('button', { name: 'Sign out other devices' }).click();
  await page.getByRole('button', { name: 'Sign out others' }).click();
  await expect(devices).toHaveCount(1);
  for (const { auth } of [first, second]) expect((await auth.getUser()).data.user).toBeNull();

  const third = await signedIn(url, person);
  await third.auth.signOut({ scope: 'others' });
  await page.reload();
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await expect(page).toHaveURL('/account');
});

test('signing out everywhere ends this session in every tab, without an error', {
  tag: '@long',
}, async ({ page, context, url }) => {
  await onAccount(page, url);
  const other = await context.newPage();
  await other.goto('/staff');
  await expect(other.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
    await expect(tab.getByText('Your session has ended')).toBeHidden();
  }
});
