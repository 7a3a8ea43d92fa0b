// The portal sign-in, at its own address and on screens that need a session.
import { DEMO_PASSWORD, emailOf, login, newPerson, signUp } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

for (const path of ['/auth', '/staff', '/admin']) {
  test(`${path} without a session shows the portal sign-in`, { tag: '@long' }, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
    await expect(page.getByText('Sign in to access your dashboard')).toBeVisible();
    await expect(page.getByRole('tab')).toHaveText(['Login', 'Sign Up']);
    await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
    await expect(page).toHaveURL(path);
  });
}

test('signing up returns to Login, and the new account can’t open the admin portal', async ({
  page,
}) => {
  const person = newPerson();
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Full Name').fill(person.fullName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByText('Account created! You can now log in.')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);

  await login(page, person.email, person.password);
  await expect(page.getByText('Welcome back!')).toBeVisible();
  await expect(page).toHaveURL('/staff');
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page).toHaveURL('/admin');
  await expect(
    page.getByText(
      'You do not have permission to access the admin portal. Please contact your administrator.',
    ),
  ).toBeVisible();

  await page.getByRole('link', { name: 'Go to Staff Portal' }).click();
  await expect(page).toHaveURL('/staff');
  await expect(page.getByRole('banner')).toContainText(person.email);
  await expect(page.getByRole('link', { name: /Guard Deployment Tracker/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Admin Portal/ })).toBeHidden();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Logged out')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
});

test('arrow keys, Home and End move between the tabs', async ({ page }) => {
  await page.goto('/auth');
  // The page that comes before the app has no keys.
  await expect(page.locator('[data-static]')).toHaveCount(0);
  const signIn = page.getByRole('tab', { name: 'Login' });
  const create = page.getByRole('tab', { name: 'Sign Up' });
  await signIn.focus();
  for (const [key, opens, other] of [
    ['ArrowRight', create, signIn],
    ['ArrowRight', signIn, create],
    ['End', create, signIn],
    ['Home', signIn, create],
    ['ArrowLeft', create, signIn],
  ] as const) {
    await page.keyboard.press(key);
    await expect(opens).toBeFocused();
    await expect(opens).toHaveAttribute('aria-selected', 'true');
    await expect(other).toHaveAttribute('tabindex', '-1');
  }
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tabpanel', { name: 'Sign Up' })).toBeFocused();
});

test('a refused sign-up shows why and keeps what was typed', { tag: '@long' }, async ({
  page,
  url,
}) => {
  const { email } = await signUp(url);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Full Name').fill('Somebody Else');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('Another-Word-7');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  const toast = page.getByRole('listitem').filter({ hasText: 'Error' });
  await expect(toast).toContainText('User already registered');
  await expect(page.getByLabel('Full Name')).toHaveValue('Somebody Else');
});

test('a wrong password shows one error toast at a time and keeps what was typed', {
  tag: '@long',
}, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/auth');
  await login(page, emailOf('guard'), 'not the password');
  const toasts = page.locator('[data-sonner-toast]');
  await expect(toasts).toContainText(['Invalid login credentials']);
  // It covers nothing that helps now.
  const code = page.getByText('I have a start code');
  await expect
    .poll(async () => {
      const [toast, help] = await Promise.all([toasts.boundingBox(), code.boundingBox()]);
      return toast && help && toast.y - (help.y + help.height);
    })
    .toBeGreaterThanOrEqual(0);
  await expect(page.getByLabel('Email')).toHaveValue(emailOf('guard'));
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password');

  const refusals = page.waitForResponse((response) => response.url().includes('/token'));
  await page.getByRole('button', { name: 'Login' }).click();
  await refusals;
  await expect(toasts).toHaveCount(1);
  // It disappears after its timeout.
  await expect(toasts).toHaveCount(0);
});

test('native validation requires all fields and six characters', { tag: '@long' }, async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(request.url());
  });
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.locator('input:invalid')).toHaveCount(2);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Full Name').fill('Saah');
  await page.getByLabel('Email').fill('saah@visitor.example');
  await page.getByLabel('Password', { exact: true }).pressSequentially('12345');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.locator('input:invalid')).toHaveCount(1);
  expect(calls.filter((call) => call.includes('/auth/v1/'))).toEqual([]);
});

test('a deep link opens after signing in, by keyboard alone', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/admin/shifts?q=freeport');
  await page.getByLabel('Email').focus();
  await page.keyboard.type(emailOf('dispatcher'));
  await page.keyboard.press('Tab');
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Shifts Management' })).toBeVisible();
  await expect(page).toHaveURL('/admin/shifts?q=freeport');
});

test('signing in where the public site leads opens the first screen of the role', async ({
  page,
}) => {
  await page.goto('/admin');
  await login(page, emailOf('dispatcher'));
  await expect(page.getByRole('heading', { name: 'Operations', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/admin/operations');
  // The root stays a screen of its own.
  await page.getByRole('link', { name: 'Deployments' }).click();
  await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL('/admin');
});

test('a signed-in user is redirected from /auth to /admin', { tag: '@long' }, async ({
  openAs,
}) => {
  const page = await openAs('hr');
  await page.goto('/auth');
  await expect(page.getByRole('heading', { name: 'Admin Portal' })).toBeVisible();
  await expect(page).toHaveURL('/admin');
});

test('signing in at /auth opens the portal of the user’s role', { tag: '@everyday' }, async ({
  page,
  openAs,
}) => {
  const signOut = async () => {
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
    await page.goto('/auth');
  };
  await page.goto('/auth');
  await login(page, emailOf('guard2'));
  await expect(page.getByText('Welcome back!')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  await expect(page).toHaveURL('/staff');
  await signOut();
  await login(page, emailOf('dispatcher'));
  // A dispatcher starts with what happens now, and next time with the last screen.
  await expect(page.getByRole('heading', { name: 'Operations', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/admin/operations');
  await page.getByRole('link', { name: 'Deployments' }).click();
  await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();
  await signOut();
  await login(page, emailOf('dispatcher'));
  await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();
  await expect(page).toHaveURL('/admin');

  const signedIn = await openAs('guard2');
  await signedIn.goto('/auth');
  await expect(signedIn.getByText('Access Denied')).toBeVisible();
  await expect(signedIn).toHaveURL('/admin');
});

test('signing out in one tab signs out in the other', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await page.goto('/staff');
  await login(page, emailOf('guard2'));
  const other = await context.newPage();
  await other.goto('/staff');
  await expect(other.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(other.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
});

test('an invalid stored session is removed', { tag: '@long' }, async ({ page, url }) => {
  const key = `sb-${new URL(url).hostname.split('.')[0]}-auth-token`;
  await page.goto('/auth');
  await page.evaluate((name) => localStorage.setItem(name, '{"access_token":"x"}'), key);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  await expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key)).toBeNull();
});

test('a password can be shown while typing', { tag: '@long' }, async ({ page }) => {
  await page.goto('/auth');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show what I type' }).click();
  await expect(password).toHaveAttribute('type', 'text');
});

for (const [name, portal] of [
  ['guard2', '/staff'],
  ['dispatcher', '/admin'],
] as const) {
  test(`${portal}: signing in by keyboard moves the focus to the first screen`, async ({
    page,
  }) => {
    await page.goto(portal);
    await page.getByLabel('Email').fill(emailOf(name));
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
    await expect(page.locator('main:focus, main :is(h1, h2):focus')).toHaveCount(1);
  });
}
