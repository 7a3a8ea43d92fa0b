// A contact of a client: invited by the office, signed in by the link of the mail, and gone when the access ends.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { newestMail } from '#tests/e2e/support/mail.ts';
import { DEMO_PASSWORD, emailOf, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('the office invites a contact, who sees the own site and writes, until the access is ended', {
  tag: '@everyday',
}, async ({ openAs, databaseOf, dataDir }) => {
  const tag = randomUUID().slice(0, 8);
  const name = `Consulate ${tag}`;
  const email = `esther.${tag}@client.example`;
  const database = await databaseOf('ops');
  const { data: client } = await database
    .from('clients')
    .insert({ name, number_of_guards: 2, monthly_rate: 800, location: 'Sinkor' })
    .select('id')
    .single()
    .throwOnError();
  await database
    .from('sites')
    .insert({
      name: `Gate ${tag}`,
      client_name: name,
      client_id: client.id,
      address: 'Tubman Boulevard',
    })
    .throwOnError();

  const office = await openAs('ops');
  await office.goto(`/admin/clients?q=${tag}`);
  await office.getByRole('button', { name: `Contacts of ${name}` }).click();
  const dialog = office.getByRole('dialog', { name: `Contacts of ${name}` });
  await dialog.getByRole('button', { name: 'Add contact' }).click();
  await dialog.getByLabel('Full Name').fill('Esther Whitfield');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Add and send link' }).click();
  await expect(office.getByText('Contact added')).toBeVisible();
  await expect(dialog.getByText('never signed in')).toBeVisible();

  const contact = await openAs('visitor');
  await contact.goto((await newestMail(dataDir, email, 'magiclink')).link);
  await expect(contact.getByRole('heading', { name: 'Who is on post' })).toBeVisible();
  await expect(contact).toHaveURL('/client');
  // The own site and no other.
  await expect(contact.getByRole('heading', { level: 2 })).toHaveText([`Gate ${tag}`]);
  await expect(contact.getByText('No guard is due now.')).toBeVisible();
  await contact.goto('/staff');
  await expect(contact).toHaveURL('/client');
  await contact.getByRole('link', { name: 'Coverage' }).click();
  await expect(contact.getByText('No shift was due in this period.')).toBeVisible();
  const report = contact.waitForEvent('download');
  await contact.getByRole('button', { name: `PDF for ${name}` }).click();
  expect((await report).suggestedFilename()).toContain(`monthly-report-consulate-${tag}`);

  await contact.getByRole('link', { name: 'Write to us' }).click();
  await contact.getByRole('button', { name: 'Write a message' }).click();
  const message = contact.getByRole('dialog', { name: 'Write a message' });
  await message.getByLabel('Message').fill('The lamp at the gate is broken.');
  await message.getByRole('button', { name: 'Send' }).click();
  await expect(contact.getByText('Message sent')).toBeVisible();
  await expect(contact.getByText('The lamp at the gate is broken.')).toBeVisible();

  await dialog.getByRole('tab', { name: 'Messages' }).click();
  await dialog.getByRole('button', { name: 'Answer' }).click();
  await dialog.getByLabel('Answer').fill('An electrician comes today.');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog.getByText('Answered')).toBeVisible();
  await contact.reload();
  await expect(contact.getByText('An electrician comes today.')).toBeVisible();

  await dialog.getByRole('tab', { name: 'People' }).click();
  await dialog.getByRole('button', { name: 'End access of Esther Whitfield' }).click();
  await office
    .getByRole('dialog', { name: 'End access' })
    .getByRole('button', { name: 'End access' })
    .click();
  await expect(dialog.getByText('Access ended')).toBeVisible();
  await contact.getByRole('link', { name: 'Now' }).click();
  await expect(contact.getByRole('alert')).toContainText('Your access has ended');
  await expect(contact.getByText(`Gate ${tag}`)).toBeHidden();
});

const tokenKey = (url: string) => `sb-${new URL(url).hostname.split('.')[0]}-auth-token`;

/** Opens the portal with a session of its own whose tokens are changed. */
async function openWith(page: Page, url: string, change: Partial<Session>) {
  const { auth } = await visitor(url);
  const { data, error } = await auth.signInWithPassword({
    email: emailOf('client'),
    password: DEMO_PASSWORD,
  });
  if (error) throw error;
  await page.goto('/robots.txt');
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    tokenKey(url),
    JSON.stringify({ ...data.session, ...change }),
  ] as const);
  await page.goto('/client');
  return data.session;
}

for (const [what, change] of [
  ['has expired', { expires_at: 1 }],
  ['is refused by the server', { access_token: 'a.b.c' }],
] as const) {
  test(`a token that ${what} is replaced without the contact's noticing`, async ({ page, url }) => {
    const { refresh_token } = await openWith(page, url, change);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    const stored = await page.evaluate((key) => localStorage.getItem(key) ?? '', tokenKey(url));
    expect(JSON.parse(stored).refresh_token).not.toBe(refresh_token);
    await page.reload();
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByRole('button', { name: 'Send me a link' })).toBeVisible();
    expect(await page.evaluate((key) => localStorage.getItem(key), tokenKey(url))).toBeNull();
  });
}

test('a session that can’t be renewed ends, and the contact signs in again', async ({
  page,
  url,
}) => {
  await openWith(page, url, { expires_at: 1, refresh_token: 'gone' });
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send me a link' })).toBeVisible();
});

test('staff of the company are sent to the staff portal', async ({ openAs }) => {
  const page = await openAs('guard');
  await page.goto('/client');
  await expect(page.getByRole('heading', { name: 'This is our clients’ portal' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the staff portal' }).click();
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
});
