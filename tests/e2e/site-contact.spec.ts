// The contact form of the public site: what it refuses, what it stores, and that nothing typed is lost.
import { expect, type Page, test } from '@playwright/test';

const fields = (page: Page) => ({
  name: page.getByLabel('Name', { exact: true }),
  email: page.getByLabel('Email', { exact: true }),
  company: page.getByLabel(/^Company/),
  message: page.getByLabel('Message', { exact: true }),
  send: page.getByRole('button', { name: 'Request Consultation' }),
});

/** Fills the form with a message that can be recognised. */
async function fill(page: Page, name: string) {
  const form = fields(page);
  await form.name.fill(name);
  await form.email.fill('ama@example.com');
  await form.company.fill('Kollie Shipping');
  await form.message.fill('We need two guards at our warehouse in Bushrod Island.');
  return form;
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
  await form.name.fill('Ama');
  await expect(form.name).not.toHaveAccessibleDescription('Name must be at least 2 characters');
});

for (const [field, value, message] of [
  ['name', 'A'.repeat(101), 'Name must be less than 100 characters'],
  ['email', 'not an address', 'Invalid email address'],
  ['company', 'C'.repeat(201), 'Company name must be less than 200 characters'],
  ['message', 'Too short', 'Message must be at least 10 characters'],
  ['message', 'M'.repeat(2001), 'Message must be less than 2000 characters'],
] as const) {
  test(`refuses ${field} with: ${message}`, async ({ page }) => {
    let sent = false;
    await page.route(inserts, (route) => {
      sent = true;
      return route.continue();
    });
    await page.goto('/');
    const form = await fill(page, 'Ama Kollie');
    await form[field].fill(value);
    await form.send.click();
    await expect(page.getByText('Validation Error')).toBeVisible();
    await expect(form[field]).toHaveAccessibleDescription(message);
    await expect(form[field]).toHaveAttribute('aria-invalid', 'true');
    await expect(form[field]).toHaveValue(value);
    expect(sent).toBe(false);
  });
}

test('a complete form is stored, confirmed and cleared', async ({ page }) => {
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  const answer = page.waitForResponse(inserts);
  await form.send.click();
  expect((await answer).status()).toBe(201);
  await expect(page.getByText('Message Sent')).toBeVisible();
  await expect(
    page.getByText("Thank you for contacting us. We'll get back to you soon."),
  ).toBeVisible();
  for (const field of [form.name, form.email, form.company, form.message]) {
    await expect(field).toHaveValue('');
  }
});

test('while it works the button says so, and a second press sends nothing twice', async ({
  page,
}) => {
  let requests = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(inserts, async (route) => {
    requests += 1;
    await held;
    await route.continue();
  });
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  await form.send.click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible();
  await form.name.press('Enter');
  release();
  await expect(page.getByText('Message Sent')).toBeVisible();
  expect(requests).toBe(1);
});

test('a failure keeps every word, and the repeat is the same message', async ({ page }) => {
  const ids: string[] = [];
  let lost = true;
  await page.route(inserts, async (route) => {
    ids.push(route.request().postDataJSON().id);
    if (!lost) return route.continue();
    // The server stores the message, but its answer never arrives.
    await route.fetch();
    await route.abort();
  });
  await page.goto('/');
  const form = await fill(page, 'Ama Kollie');
  await form.send.click();
  await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible();
  await expect(form.name).toHaveValue('Ama Kollie');
  await expect(form.message).toHaveValue('We need two guards at our warehouse in Bushrod Island.');
  lost = false;
  await form.send.click();
  await expect(page.getByText('Message Sent')).toBeVisible();
  expect(new Set(ids).size).toBe(1);
});

test('a filled honeypot looks like success and sends nothing', async ({ page }) => {
  let requests = 0;
  await page.route(inserts, (route) => {
    requests += 1;
    return route.continue();
  });
  await page.goto('/');
  const form = await fill(page, 'Robot');
  await page.locator('input[name="website"]').fill('https://spam.example', { force: true });
  await form.send.click();
  await expect(page.getByText('Message Sent')).toBeVisible();
  expect(requests).toBe(0);
});
