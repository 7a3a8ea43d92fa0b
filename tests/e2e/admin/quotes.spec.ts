// From an enquiry to a contract, with the presses and fields that it takes.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { excessOf } from '#tests/e2e/support/large-text.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** Counts what the user does: presses and filled fields. */
class Steps {
  presses = 0;
  fields = 0;

  async press(button: Locator): Promise<void> {
    this.presses += 1;
    await button.click();
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.fields += 1;
    await field.fill(text);
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an enquiry is answered with a quote and becomes a contract, which is taken back', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const database = await databaseOf('admin');
  const company = `Stores ${randomUUID().slice(0, 8)}`;
  const enquiry = {
    id: randomUUID(),
    name: 'Garmai Kollie',
    email: 'garmai@visitor.example',
    company,
    message: 'How soon could two guards start at our store?',
  };
  await database.from('contact_messages').insert(enquiry).throwOnError();
  const page = await openAs('admin', { viewport: { width: 1280, height: 900 } });
  await page.goto(`/admin/enquiries?q=${encodeURIComponent(company)}`);
  const steps = new Steps();

  // The answer.
  await steps.press(button(page, enquiry.name).or(page.getByRole('button', { name: company })));
  await steps.press(page.getByRole('link', { name: 'Write Quote' }));
  await expect(page.getByLabel('Name on the quote')).toHaveValue(company);
  await steps.fill(page.getByLabel('Site', { exact: true }), 'Store');
  await steps.fill(page.getByLabel('Address of the site'), 'Red Light, Paynesville');
  await steps.fill(page.getByLabel('Rate', { exact: true }), '3.50');
  await steps.press(button(page, 'Save Draft'));
  await expect(page.getByText('$1,274.00').first()).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await steps.press(button(page, 'Send'));
  const dialog = page.getByRole('dialog', { name: 'Send Quote' });
  await expect(dialog.getByLabel(/^E-mail/)).toHaveValue(enquiry.email);
  await steps.press(dialog.getByRole('button', { name: 'Send' }));
  await expect(page.getByRole('heading', { name: /^QUO-\d{4}-\d{4}$/ })).toBeVisible();
  await expect(page.getByText('Mailed')).toBeVisible();
  expect(steps).toEqual({ presses: 5, fields: 3 });

  // The contract.
  await steps.press(button(page, 'Accepted'));
  const turn = button(page, 'Turn into Client and Contract');
  await steps.press(turn);
  await expect(page).toHaveURL(/\/admin\/contracts\/[\da-f-]{36}/);
  expect(steps).toEqual({ presses: 7, fields: 3 });
  await expect(page.getByRole('heading', { name: company })).toBeVisible();
  await expect(page.getByText('Main Gate, Store').first()).toBeVisible();
  await expect(page.getByText('$3.50').first()).toBeVisible();
  const { data: won } = await database
    .from('contact_messages')
    .select('state, stage, quotes(contract_id)')
    .eq('id', enquiry.id)
    .single()
    .throwOnError();
  expect(won).toMatchObject({ state: 'closed', stage: 'won' });

  await button(page, 'Undo').click();
  await expect(turn).toBeVisible();
  const { count } = await database
    .from('clients')
    .select('id', { count: 'exact', head: true })
    .eq('name', company)
    .throwOnError();
  expect(count).toBe(0);
});

test('an operations manager moves an enquiry on the board, and sees who makes the contract', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const database = await databaseOf('ops');
  const company = `Depot ${randomUUID().slice(0, 8)}`;
  const id = randomUUID();
  await database
    .from('contact_messages')
    .insert({
      id,
      name: 'Garmai',
      email: 'g@visitor.example',
      company,
      message: 'Two guards, please.',
    })
    .throwOnError();
  const quote = randomUUID();
  await database
    .rpc('save_quote', {
      p_id: quote,
      p_enquiry_id: id,
      p_terms: {
        client_name: company,
        site_name: 'Depot',
        site_address: 'Red Light',
        currency: 'USD',
        starts_on: '2031-02-01',
        valid_until: '2099-12-31',
        payment_terms_days: 30,
        prices_include_tax: false,
      },
      p_lines: [{ post_name: 'Gate', guards: 1, hours_a_day: 12, days_a_week: 7, rate: 3.5 }],
    })
    .throwOnError();
  await database.rpc('send_quote', { p_id: quote }).throwOnError();
  await database.rpc('answer_quote', { p_id: quote, p_status: 'accepted' }).throwOnError();

  const page = await openAs('ops', { viewport: { width: 360, height: 740 } });
  await page.goto('/admin/enquiries');
  await button(page, 'Board').click();
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  await column('Quoted').getByRole('button', { name: company }).click();
  const dialog = page.getByRole('dialog', { name: 'Enquiry from Garmai' });
  await dialog.getByLabel('Stage').selectOption('Lost');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Reason is required')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Another company was cheaper');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(column('Lost').getByRole('button', { name: company })).toBeVisible();
  expect(await excessOf(page)).toBe(0);
  // The choice stays after a reload.
  await page.reload();
  await expect(button(page, 'List')).toBeVisible();
  await button(page, 'List').click();
  await expect(button(page, 'Board')).toBeVisible();

  await page.goto(`/admin/enquiries/quotes/${quote}`);
  await expect(page.getByText('An administrator makes the contract')).toBeVisible();
  await expect(button(page, 'Turn into Client and Contract')).toBeHidden();
});
