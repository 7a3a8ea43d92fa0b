// Steps between password and first screen: second factor, new password, approval.

import { appCode, login, secured, signUp, visitor } from '#tests/e2e/support/people.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('an account with an authenticator app must enter a code before the tracker opens', {
  tag: '@long',
}, async ({ page, url }) => {
  const person = await secured(url);
  await page.goto('/deployments');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await expect(page.getByText('Signed in successfully')).toBeHidden();
  await expect(page.getByLabel('Code')).toBeFocused();

  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('The code is wrong')).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveValue('000000');
  // Neither a reload nor another screen bypasses it.
  await page.goto('/staff');
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await page.goto('/deployments');
  await page.getByLabel('Code').fill(await appCode(person.secret, 'next'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Guard Deployment Tracker' })).toBeVisible();
  await expect(page).toHaveURL('/deployments');
});

test('going back from the second step signs out', { tag: '@long' }, async ({ page, url }) => {
  const person = await secured(url);
  await page.goto('/admin');
  await login(page, person.email, person.password);
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
});

test('a recovery code works once and turns two-step verification off', { tag: '@long' }, async ({
  page,
  url,
}) => {
  const person = await secured(url);
  const { data: codes } = await person.client.rpc('create_recovery_codes').throwOnError();
  await page.goto('/staff');
  await login(page, person.email, person.password);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('aaaa-bbbb-cccc-dddd');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This code is wrong or has already been used.')).toBeVisible();
  await page.getByLabel('Recovery code').fill(codes[0]?.toUpperCase() ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  await expect(page.getByText('Your second step is off')).toBeVisible();
  const { auth } = await visitor(url);
  const { data } = await auth.signInWithPassword(person);
  expect(data.user?.factors ?? []).toEqual([]);
});

test('a temporary password must be changed first', { tag: '@long' }, async ({
  page,
  url,
  dataDir,
}) => {
  const email = `invited.${crypto.randomUUID().slice(0, 8)}@visitor.example`;
  const { auth } = await service(url, dataDir);
  const { error } = await auth.admin.createUser({
    email,
    password: 'Handed-Over-7',
    email_confirm: true,
    user_metadata: { full_name: 'Musu Invited' },
    app_metadata: { must_change_password: true },
  });
  expect(error).toBeNull();
  await page.goto('/staff');
  await login(page, email, 'Handed-Over-7');
  await expect(page.getByRole('heading', { name: 'Choose your password' })).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Choose your password' })).toBeVisible();
  await page.goto('/staff');
  const password = page.getByLabel('New password');
  await password.fill('Handed-Over-7');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(
    page.getByText('The new password must be different from the old one.'),
  ).toBeVisible();
  await password.fill('Only-Musu-Knows-1');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  const again = await (await visitor(url)).auth.signInWithPassword({
    email,
    password: 'Only-Musu-Knows-1',
  });
  expect(again.error).toBeNull();
});

/** Changes the sign-up policy that the app reads; the database keeps its own. */
const underPolicy = (policy: string) => ({
  url: '**/app-config.json',
  answer: async (route: import('@playwright/test').Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), signupPolicy: policy } });
  },
});

test('with sign-up approval, an account waits for a role and enters when it gets one', {
  tag: '@long',
}, async ({ page, url, databaseOf }) => {
  const person = await signUp(url);
  const { answer, url: config } = underPolicy('approval');
  await page.route(config, answer);
  await page.goto('/deployments');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();

  const admin = await databaseOf('admin');
  const { data } = await admin
    .from('profiles')
    .select('id')
    .eq('email', person.email)
    .single()
    .throwOnError();
  await admin.from('user_roles').insert({ user_id: data.id, role: 'guard' }).throwOnError();
  await expect(page.getByRole('heading', { name: 'Guard Deployment Tracker' })).toBeVisible();
});

test('with sign-up closed, neither card offers it', { tag: '@long' }, async ({ page }) => {
  const { answer, url: config } = underPolicy('closed');
  await page.route(config, answer);
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.goto('/deployments');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Sign up/ })).toHaveCount(0);
});
