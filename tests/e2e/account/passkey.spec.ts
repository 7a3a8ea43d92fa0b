// Passkeys as a second factor, with Chromium's virtual authenticator.
import type { Page } from '@playwright/test';
import { login, signUp, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** An authenticator that verifies the user. @returns a function that makes it refuse */
async function authenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return () => cdp.send('WebAuthn.clearCredentials', { authenticatorId });
}

test('a passkey is added with a name, requested at the next sign-in, and removed', {
  tag: '@long',
}, async ({ page, url }) => {
  // A passkey needs a host name; the test server's address is an IP.
  const named = url.replace('127.0.0.1', 'localhost');
  await authenticator(page);
  const person = await signUp(url);
  await page.goto(`${named}/account`);
  await login(page, person.email, person.password);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(
    'Chrome on Linux',
  );
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Desk at Old Road');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('Desk at Old Road')).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  await page.goto(`${named}/staff`);
  await login(page, person.email, person.password);
  await page.getByRole('button', { name: 'Use my passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();

  await page.getByRole('link', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Remove Desk at Old Road' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('A password alone opens your account.')).toBeVisible();
  const { auth } = await visitor(url);
  const { data } = await auth.signInWithPassword(person);
  expect(data.user?.factors ?? []).toEqual([]);
});

test('a missing passkey shows an error and leaves the other methods open', {
  tag: '@long',
}, async ({ page, url }) => {
  const named = url.replace('127.0.0.1', 'localhost');
  const forget = await authenticator(page);
  const person = await signUp(url);
  await page.goto(`${named}/account`);
  await login(page, person.email, person.password);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  const listed = page.getByRole('dialog').getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const code = (await listed.first().textContent()) ?? '';
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  await forget();

  await login(page, person.email, person.password);
  await page.getByRole('button', { name: 'Use my passkey' }).click();
  await expect(page.getByText('The passkey was not used.')).toBeVisible();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Your second step is off')).toBeVisible();
});

test('on an IP address no passkey is offered, with the reason', {
  tag: '@long',
}, async ({ page, url }) => {
  const person = await signUp(url);
  await page.goto('/account');
  await login(page, person.email, person.password);
  await expect(page.getByText(/^Passkeys can't be added here/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeHidden();
});
