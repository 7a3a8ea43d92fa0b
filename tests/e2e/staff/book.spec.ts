// The book of the post: written on the phone without a signal, seen by the office once, visitors out with one tap, a line struck.

import { faultsOf } from '#tests/e2e/support/axe.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { codeIsLoaded } from '#tests/e2e/support/loaded-code.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { toastOf } from '#tests/e2e/support/toast.ts';

test('what a guard writes without a signal is in the book once, and is struck through, never changed', {
  tag: '@everyday',
}, async ({ openAs, browser, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  await guard.attends(new Date().toISOString());
  const phone = await newPhone(browser, url, guard);
  await phone.goto('/staff');
  await phone.getByRole('link', { name: /^Book of the Post/ }).click();
  const inside = phone.getByRole('region', { name: /^Inside now/ });
  await expect(inside).toContainText('Nobody is inside.');
  await expect(phone.getByRole('region', { name: 'Last 24 hours' })).toContainText('Clocked in');
  expect(await faultsOf(phone)).toEqual([]);

  await phone.getByRole('button', { name: 'Visitor in', exact: true }).click();
  const visitor = phone.getByRole('dialog', { name: 'Visitor in' });
  await visitor.getByRole('button', { name: 'Sign In' }).click();
  await expect(visitor).toContainText('Write the name');
  await visitor.getByRole('button', { name: 'Cancel' }).click();
  await codeIsLoaded(phone, 'senders');

  // The phone keeps it all, and what is tapped twice is one line.
  await phone.context().setOffline(true);
  await phone.getByRole('button', { name: 'All quiet', exact: true }).dblclick();
  const lines = phone.getByRole('list', { name: 'Last 24 hours' });
  await expect(lines.getByText('Check All quiet')).toHaveCount(1);
  await phone.getByRole('button', { name: 'Visitor in', exact: true }).click();
  await visitor.getByLabel('Name').fill('Mary Cole');
  await visitor.getByLabel(/^Company/).fill('Harbour Works');
  await visitor.getByRole('button', { name: 'Sign In' }).click();
  await expect(visitor).toBeHidden();
  await expect(inside).toContainText('Mary Cole, Harbour Works');
  await phone.getByRole('button', { name: 'Observation', exact: true }).click();
  const seen = phone.getByRole('dialog', { name: 'Observation' });
  await seen.getByLabel('What').fill('Truck at the fence');
  await seen.getByRole('button', { name: 'Write in Book' }).click();
  await expect(lines).toContainText('Observation Truck at the fence');
  await phone.context().setOffline(false);
  await expect(lines.getByText('Waiting to send')).toHaveCount(0);

  const page = await openAs('ops');
  await page.goto(`/admin/sites/${guard.siteId}`);
  const card = page.getByRole('region', { name: 'Book of the Post' });
  await expect(card.getByRole('listitem').filter({ hasText: 'Inside now' })).toContainText('1');
  await card.getByRole('link', { name: 'Open book' }).click();
  const book = page.getByRole('main');
  await expect(book.getByText('Observation Truck at the fence')).toHaveCount(1);
  await expect(book.getByText('Check All quiet')).toHaveCount(1);
  expect(await faultsOf(page)).toEqual([]);
  const here = page.getByRole('region', { name: /^Inside now/ });
  await expect(here).toContainText('Mary Cole');

  // Out with one tap, and the office sees it at once.
  await phone.getByRole('button', { name: 'Out: Mary Cole, Harbour Works' }).click();
  await expect(inside).toContainText('Nobody is inside.');
  await expect(here).toContainText('Nobody is inside.');
  await expect(book.getByText('Visitor out Mary Cole, Harbour Works')).toBeVisible();

  // Known from now on.
  await phone.getByRole('button', { name: 'Visitor in', exact: true }).click();
  await visitor.getByLabel('Name').fill('mar');
  await visitor.getByRole('button', { name: 'Mary Cole, Harbour Works' }).click();
  await expect(visitor.getByLabel(/^Company/)).toHaveValue('Harbour Works');
  await visitor.getByRole('button', { name: 'Cancel' }).click();

  await phone
    .getByRole('button', { name: 'Strike through Observation: Truck at the fence' })
    .click();
  const striking = phone.getByRole('dialog', { name: 'Strike Through' });
  await striking.getByLabel('Reason').fill('Another gate');
  await striking.getByRole('button', { name: 'Strike Through' }).click();
  await expect(toastOf(phone, 'Struck through')).toBeVisible();
  await expect(book.getByText('Another gate')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search word, plate, name' }).fill('harbour');
  await expect(book.getByText('Observation Truck at the fence')).toBeHidden();
  await expect(book.getByText('Visitor in Mary Cole, Harbour Works')).toBeVisible();
  const stored = await ask(
    dataDir,
    'select kind, text, strike_reason from post_entries where site_id = $1 order by kind',
    [guard.siteId],
  );
  expect(stored).toEqual([
    { kind: 'check', text: 'All quiet', strike_reason: null },
    { kind: 'observation', text: 'Truck at the fence', strike_reason: 'Another gate' },
  ]);
  await phone.context().close();
});

test('a key that is overdue is first in the book, also without a signal, until it is back', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  await guard.attends(new Date().toISOString());
  await ask(
    dataDir,
    `insert into key_movements (site_id, assignment_id, key_name, taken_by, due_at, out_at) values
       ($1, $2, 'Store', 'Musa', now() - interval '1 hour', now() - interval '2 hours'),
       ($1, $2, 'Gate', 'Sando', now() + interval '8 hours', now() - interval '1 hour')`,
    [guard.siteId, guard.assignmentId],
  );
  const phone = await newPhone(browser, url, guard);
  await phone.goto('/staff');
  const link = phone.getByRole('link', { name: /^Book of the Post/ });
  await expect(link).toContainText('Key overdue');
  await link.click();
  const keys = phone.getByRole('list', { name: 'Keys out' }).getByRole('listitem');
  await expect(keys.first()).toContainText('StoreMusa');
  await expect(keys.first()).toContainText('Overdue');
  await expect(phone.getByRole('region').first()).toContainText('Keys out: 2');
  expect(await faultsOf(phone)).toEqual([]);

  await codeIsLoaded(phone, 'senders');
  await phone.context().setOffline(true);
  await phone.getByRole('button', { name: 'Back: Store' }).dblclick();
  await expect(keys).toHaveCount(1);
  await phone.context().setOffline(false);
  const lines = phone.getByRole('list', { name: 'Last 24 hours' });
  await expect(lines.getByText('Waiting to send')).toHaveCount(0);
  await expect(lines.getByText('Key back Store, from Musa')).toHaveCount(1);
  expect(
    await ask(
      dataDir,
      `select key_name, in_at is not null as is_back from key_movements where site_id = $1 order by key_name`,
      [guard.siteId],
    ),
  ).toEqual([
    { key_name: 'Gate', is_back: false },
    { key_name: 'Store', is_back: true },
  ]);
  await phone.context().close();
});
