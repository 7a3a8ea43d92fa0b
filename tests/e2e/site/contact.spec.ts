import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { gate, hold } from '#tests/e2e/support/gate.ts';
import { test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

const MESSAGE = 'We need two guards at our warehouse on Bushrod Island.';

const fields = (page: Page) => ({
  name: page.getByLabel('Name', { exact: true }),
  email: page.getByLabel('Email', { exact: true }),
  company: page.getByLabel(/^Company/),
  message: page.getByLabel('Message', { exact: true }),
  send: page.getByRole('button', { name: 'Request Consultation' }),
});

/** Fills the form with a unique name. */
async function fill(page: Page, name: string) {
  const form = fields(page);
  await form.name.fill(name);
  await form.email.fill('ama@example.com');
  await form.company.fill('Kollie Shipping');
  await form.message.fill(MESSAGE);
  return form;
}

const toast = (page: Page) => page.locator('[data-sonner-toast][data-front=true]');

/** A toast below the fold is in the document but not visible. */
async function expectInWindow(page: Page, shown: Locator) {
  await expect(shown).toBeInViewport({ ratio: 1 });
  const box = await shown.boundingBox();
  const size = page.viewportSize();
  if (!box || !size) throw new Error('It has no box, or the page has no window.');
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(size.width);
  expect(box.y + box.height).toBeLessThanOrEqual(size.height);
}

const inserts = '**/rest/v1/contact_messages*';

test('an empty form: the first message in a toast, the others beside their fields', async ({
  page,
}) => {
  await page.goto('/');
  const form = fields(page);
  await form.send.click();
  await expect(page.getByText('Validation Error')).toBeVisible();
  await expect(page.getByText('Name must be at least 2 characters')).toHaveCount(2);
  await expect(form.name).toHaveAccessibleDescription('Name must be at least 2 characters');
  await expect(form.email).toHaveAccessibleDescription('Invalid email address');
  await expect(form.message).toHaveAccessibleDescription('Message must be at least 10 characters');
  await expect(form.name).toBeFocused();
  // It disappears with the message of the field, not by its timeout.
  await holdToast(page, 'Validation Error');
  await form.name.fill('Ama');
  await expect(form.name).not.toHaveAccessibleDescription('Name must be at least 2 characters');
  await expect(page.getByText('Validation Error')).toHaveCount(0);
});

const REFUSED = [
  ['name', 'A'.repeat(101), 'Name must be less than 100 characters'],
  ['email', 'not an address', 'Invalid email address'],
  ['company', 'C'.repeat(201), 'Company name must be less than 200 characters'],
  ['message', 'Too short', 'Message must be at least 10 characters'],
  ['message', 'M'.repeat(2001), 'Message must be less than 2000 characters'],
] as const;

test('each field refuses what does not fit, keeps it, and nothing is sent', {
  tag: '@long',
}, async ({ page }) => {
  let sent = false;
  await page.route(inserts, (route) => {
    sent = true;
    return route.continue();
  });
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  for (const [field, value, message] of REFUSED) {
    await test.step(message, async () => {
      const fitting = await form[field].inputValue();
      await form[field].fill(value);
      await form.send.click();
      await expect(page.getByText('Validation Error')).toBeVisible();
      await expect(form[field]).toHaveAccessibleDescription(message);
      await expect(form[field]).toHaveAttribute('aria-invalid', 'true');
      await expect(form[field]).toHaveValue(value);
      expect(sent).toBe(false);
      await form[field].fill(fitting);
      await expect(page.getByText('Validation Error')).toHaveCount(0);
    });
  }
});

test('a complete form is stored, confirmed and cleared', { tag: '@everyday' }, async ({
  page,
  databaseOf,
}) => {
  const name = `Ama Kollie ${randomUUID()}`;
  await page.goto('/');
  const form = await fill(page, `  ${name} `);
  await form.company.fill('');
  await form.send.click();
  await expect(toast(page)).toContainText('Message Sent');
  const thanks = "Thank you for contacting us. We'll get back to you soon.";
  await expect(toast(page)).toContainText(thanks);
  await expect(toast(page)).toBeHidden();
  const panel = page.getByRole('form', { name: 'Contact form' }).getByRole('status');
  await expect(panel).toHaveText(`Message Sent${thanks}`);
  for (const field of [form.name, form.email, form.company, form.message]) {
    await expect(field).toHaveValue('');
  }
  const database = await databaseOf('ops');
  const { data } = await database.from('contact_messages').select().eq('name', name);
  expect(data).toMatchObject([
    { email: 'ama@example.com', company: null, message: MESSAGE, state: 'new' },
  ]);
});

test('a message sent before the form’s code has loaded is sent once', async ({
  page,
  databaseOf,
}) => {
  const name = `Ama Kollie ${randomUUID()}`;
  const open = await hold(page, '**/hydrate-form-*.js*');
  await page.goto('/');
  const form = await fill(page, name);
  await form.send.click();
  await expect(form.name).toHaveValue(name);
  open();
  await expect(toast(page)).toContainText('Message Sent');
  const database = await databaseOf('ops');
  const { data } = await database.from('contact_messages').select('id').eq('name', name);
  expect(data).toHaveLength(1);
});

test('when the code never loads, the form is posted natively', { tag: '@long' }, async ({
  page,
}) => {
  await page.route('**/hydrate-form-*.js*', (route) => route.abort());
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  await form.email.fill('ama@');
  await form.send.click();
  await expect(page.getByRole('alert')).toContainText('Invalid email address');
  await expect(page).toHaveURL('/contact');
});

test('too many messages: the visitor learns when to try again, and nothing is lost', {
  tag: '@long',
}, async ({ page }) => {
  await page.route(inserts, (route) =>
    route.fulfill({
      status: 429,
      json: { code: 'too_many_enquiries', message: 'Please try again in 12 minutes.' },
    }),
  );
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  await form.send.click();
  await expect(page.getByText('Please try again in 12 minutes.')).toBeVisible();
  await expect(form.message).toHaveValue(MESSAGE);
});

test('the button shows progress, and a second click sends nothing twice', async ({ page }) => {
  let requests = 0;
  const { opened, open } = gate();
  await page.route(inserts, async (route) => {
    requests += 1;
    await opened;
    await route.continue();
  });
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  await form.send.click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible();
  await form.name.press('Enter');
  open();
  await expect(toast(page)).toContainText('Message Sent');
  expect(requests).toBe(1);
});

test('a failure keeps what was typed, and the retry is not stored twice', async ({
  page,
  databaseOf,
}) => {
  const name = `Ama Kollie ${randomUUID()}`;
  let lost = true;
  await page.route(inserts, async (route) => {
    if (!lost) return route.continue();
    // The server stores the message, but its response is lost.
    await route.fetch();
    await route.abort();
  });
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await page.goto('/');
  const form = await fill(page, name);
  await form.send.click();
  await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible();
  await expect(form.name).toHaveValue(name);
  await expect(form.message).toHaveValue(MESSAGE);
  lost = false;
  await form.send.click();
  await expect(toast(page)).toContainText('Message Sent');
  const database = await databaseOf('ops');
  const { data } = await database.from('contact_messages').select('id').eq('name', name);
  expect(data).toHaveLength(1);
  // Such as "Multiple GoTrueClient instances".
  expect(warnings).toEqual([]);
});

test('a filled honeypot looks like success and stores nothing', { tag: '@long' }, async ({
  page,
}) => {
  let requests = 0;
  await page.route(inserts, (route) => {
    requests += 1;
    return route.continue();
  });
  await page.goto('/');
  const form = await fill(page, 'Robot');
  await page.locator('input[name="website"]').fill('https://spam.example', { force: true });
  await form.send.click();
  await expect(toast(page)).toContainText('Message Sent');
  expect(requests).toBe(0);
});

for (const width of [360, 1280]) {
  test(`toasts and the answer are inside the window at ${width} px`, { tag: '@long' }, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/');
    await fields(page).send.click();
    await expect(toast(page)).toContainText('Validation Error');
    await expectInWindow(page, toast(page));
    const form = await fill(page, `Ama Kollie ${randomUUID()}`);
    await form.send.click();
    await expect(toast(page)).toContainText('Message Sent');
    await expectInWindow(page, toast(page));
    await expect(toast(page)).toBeHidden();
    await expectInWindow(page, page.getByRole('status').filter({ hasText: 'Message Sent' }));
  });
}

test('a message that failed offline is sent on the next click, and a reload loses nothing', async ({
  page,
  context,
  databaseOf,
}) => {
  const name = `Ama Kollie ${randomUUID()}`;
  // Some browsers cache a failed import until the page reloads.
  await page.route('**/send-contact-message-*.js*', (route) => route.abort());
  // The next test covers sending without this code.
  const loaded = page.waitForResponse('**/submission-*.js');
  await page.goto('/');
  const form = await fill(page, name);
  await loaded;
  await context.setOffline(true);
  await form.send.click();
  await expect(toast(page)).toContainText('Failed to send message. Please try again.');
  await expect(form.message).toHaveValue(MESSAGE);
  await context.setOffline(false);
  await page.reload();
  await expect(form.name).toHaveValue(name);
  await expect(form.email).toHaveValue('ama@example.com');
  await expect(form.company).toHaveValue('Kollie Shipping');
  await expect(form.message).toHaveValue(MESSAGE);
  await form.send.click();
  await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
  const database = await databaseOf('ops');
  const { data } = await database.from('contact_messages').select('message').eq('name', name);
  expect(data).toEqual([{ message: MESSAGE }]);
  await page.goto('/');
  await expect(form.message).toHaveValue('');
});

test('offline without the form’s code, nothing typed is lost', async ({ page, context }) => {
  await page.route('**/hydrate-form-*.js*', (route) => route.abort());
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  await context.setOffline(true);
  await form.send.click();
  await expect(page.getByRole('alert')).toHaveText('Failed to send message. Please try again.');
  await expect(form.message).toHaveValue(MESSAGE);
  await context.setOffline(false);
  await form.send.click();
  await expect(page.getByRole('heading', { name: 'Message Sent' })).toBeVisible();
});
