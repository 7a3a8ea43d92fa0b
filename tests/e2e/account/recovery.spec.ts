// Links in mails: password recovery, expired links, and links without a screen.
import { newestMail } from '#tests/e2e/support/mail.ts';
import { newPerson, signUp, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const NEW_PASSWORD = 'A-Long-Walk-On-Broad-Street-9';

test('a forgotten password: mail, link, new password, and the requested screen opens', {
  tag: '@long',
}, async ({ page, url, dataDir }) => {
  const person = await signUp(url);
  await page.goto('/staff');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText('Check your email')).toBeVisible();

  const { link } = await newestMail(dataDir, person.email, 'recovery');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await expect(page.getByText(`For ${person.email}`)).toBeVisible();
  await expect(page).toHaveURL('/auth/new-password?next=%2Fstaff');

  // A weak password shows an error beside the field and keeps what was typed.
  await page.getByLabel('New password').fill('password');
  await page.getByRole('button', { name: 'Save password' }).click();
  const field = page.getByLabel('New password');
  await expect(field).toHaveAccessibleDescription(/known to be weak.*At least 6 characters/);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('password');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(page).toHaveURL('/staff');
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();

  const { auth } = await visitor(url);
  const old = await auth.signInWithPassword(person);
  expect(old.error?.code).toBe('invalid_credentials');
  const renewed = await auth.signInWithPassword({ email: person.email, password: NEW_PASSWORD });
  expect(renewed.error).toBeNull();

  // The link works only once.
  await page.goto(link);
  await expect(page.getByRole('alert')).toContainText('This link no longer works');
  await page.reload();
  await expect(page.getByText('This link no longer works')).toBeHidden();
});

test('an expired link shows an error, leaves the address bar, and a new one can be requested', {
  tag: '@long',
}, async ({ page }) => {
  const failure =
    'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid';
  await page.goto(`/auth/new-password?next=%2Fdeployments#${failure}&sb=`);
  await expect(page.getByRole('alert')).toContainText('This link no longer works');
  await expect(page).toHaveURL('/auth/new-password?next=%2Fdeployments');
  await page.getByLabel('Email').fill(newPerson().email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  // The same message for an address without an account.
  await expect(page.getByText('Check your email')).toBeVisible();
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect(page).toHaveURL('/deployments');
  await expect(page.getByText('Access the deployment tracker')).toBeVisible();
});

test('a provider error is shown in plain words on any screen until it is closed', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/deployments?error=access_denied#error=access_denied');
  await expect(page.getByRole('alert')).toContainText('Sign-in was cancelled');
  await expect(page).toHaveURL('/deployments');
  await page.getByRole('button', { name: 'Close this message' }).click();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a sign-in link without a screen opens the app, and its tokens leave the address bar', {
  tag: '@long',
}, async ({ page, url, dataDir }) => {
  const person = await signUp(url);
  const { auth } = await visitor(url);
  await auth.signInWithOtp({ email: person.email, options: { emailRedirectTo: `${url}/` } });
  const { link } = await newestMail(dataDir, person.email, 'magiclink');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  await expect(page).toHaveURL(`${url}/staff`);
  // Nor are they in the history.
  await page.goBack();
  expect(page.url()).not.toContain('access_token');
});

test('setting a password never redirects to another site', { tag: '@long' }, async ({ page }) => {
  for (const next of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example']) {
    await page.goto(`/auth/new-password?next=${encodeURIComponent(next)}`);
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await expect(page).toHaveURL('/auth');
  }
});
