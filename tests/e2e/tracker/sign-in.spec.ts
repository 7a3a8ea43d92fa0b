import { newPerson } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('the card switches between Sign In and Sign Up', async ({ page }) => {
  await page.goto('/deployments');
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByText('Access the deployment tracker')).toBeVisible();
  await expect(page.getByLabel('Full Name')).toBeHidden();
  await page.getByRole('button', { name: "Don't have an account? Sign up" }).click();
  await expect(page.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
  await expect(page.getByText('Create an account to manage deployments')).toBeVisible();
  await expect(page.getByLabel('Full Name')).toBeVisible();
  await page.getByRole('button', { name: 'Already have an account? Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
});

test('a new user signs up, signs in and signs out', async ({ page }) => {
  const person = newPerson();
  await page.goto('/deployments');
  await page.getByRole('button', { name: /Sign up$/ }).click();
  await page.getByLabel('Full Name').fill(person.fullName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page.getByText('Account created successfully')).toBeVisible();
  await expect(page.getByText('Access the deployment tracker')).toBeVisible();

  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const toast = page.getByRole('listitem').filter({ hasText: 'Error signing in' });
  await expect(toast).toContainText('Invalid login credentials');

  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Signed in successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Guard Deployment Tracker' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('Access the deployment tracker')).toBeVisible();
});

test('a second account with the same email is refused with the reason', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/deployments');
  await page.getByRole('button', { name: /Sign up$/ }).click();
  await page.getByLabel('Full Name').fill('Prince Dolo');
  await page.getByLabel('Email').fill('guard@statesman.example');
  await page.getByLabel('Password', { exact: true }).fill('Another-Word-7');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  const toast = page.getByRole('listitem').filter({ hasText: 'Error creating account' });
  await expect(toast).toContainText('User already registered');
  await expect(page.getByLabel('Email')).toHaveValue('guard@statesman.example');
});
