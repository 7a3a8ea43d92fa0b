// A day of the book of the post: the office withholds a line and releases it, its client reads it without the line, and another
// client does not read it.
import { readFile } from 'node:fs/promises';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { emailOf } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { toastOf } from '#tests/e2e/support/toast.ts';

test('a line is withheld, the day is released, corrected and withdrawn, and the client reads what is released', async ({
  openAs,
  databaseOf,
  dataDir,
}) => {
  const admin = await databaseOf('admin');
  const { data: me } = await admin
    .from('client_contacts')
    .select('client_id')
    .eq('email', emailOf('client'))
    .single()
    .throwOnError();
  const { data: site } = await admin
    .from('sites')
    .insert({
      name: 'Pages Gate',
      client_name: 'Pages',
      address: 'Sinkor',
      client_id: me.client_id,
    })
    .select('id')
    .single()
    .throwOnError();
  const written = await ask(
    dataDir,
    `insert into post_entries (site_id, kind, text, written_at)
     select $1, 'observation', t.text, (current_date - 1 + t.at)
     from (values ('Gate lock is loose', time '09:00'), ('Staff matter', time '10:00')) t (text, at)
     returning (current_date - 1)::text as day`,
    [site.id],
  );
  const day = String(written[0]?.day);

  const office = await openAs('ops');
  await office.goto(`/admin/sites/${site.id}/book?day=${day}`);
  const card = office.getByRole('region', { name: 'For the client' });
  await expect(card).toContainText('Not released');
  await card.getByRole('button', { name: 'Preview and Release…' }).click();
  const preview = office.getByRole('dialog', { name: 'Client’s Page' });
  await preview.getByRole('button', { name: 'Withhold Observation: Staff matter' }).click();
  await expect(
    preview.getByRole('button', { name: 'Show Observation: Staff matter' }),
  ).toBeVisible();
  expect(await faultsOf(office)).toEqual([]);
  await preview.getByRole('button', { name: 'Release to Client' }).click();
  await expect(toastOf(office, 'Released')).toBeVisible();
  await expect(preview).toBeHidden();
  await expect(card).toContainText('1 of 2 lines for the client');

  const client = await openAs('client', { viewport: { width: 360, height: 740 } });
  await client.goto('/client');
  await client.getByRole('link', { name: 'Book' }).click();
  const page = client
    .getByRole('list', { name: 'Days' })
    .getByRole('listitem')
    .filter({ hasText: 'Pages Gate' });
  await page.getByRole('button', { name: /Pages Gate$/ }).click();
  const entries = page.getByRole('list', { name: 'Entries' });
  await expect(entries).toContainText('Gate lock is loose');
  await expect(client.getByText('Staff matter')).toHaveCount(0);
  expect(await faultsOf(client)).toEqual([]);
  const saving = client.waitForEvent('download');
  await page.getByRole('button', { name: /^PDF of/ }).click();
  const pdf = await readFile(await (await saving).path(), 'latin1');
  expect(pdf).toContain('Gate lock is loose');
  expect(pdf).not.toContain('Staff matter');

  // Another client of the company reads nothing of it, and by direct request neither.
  const [released] = await ask(dataDir, 'select id from post_pages where site_id = $1', [site.id]);
  const [other] = await ask(
    dataDir,
    `select c.user_id from client_contacts c
     where c.client_id <> $1 and c.user_id is not null and c.revoked_at is null limit 1`,
    [me.client_id],
  );
  const seen = await ask(
    dataDir,
    `with me as materialized (
       select set_config('request.jwt.claims', json_build_object('sub', $1::uuid, 'role', 'authenticated', 'aal', 'aal1')::text, true)
     ) select p.id from me, client_pages() p where p.site_id = $2`,
    [other?.user_id, site.id],
  );
  expect(seen).toEqual([]);
  const contact = await databaseOf('client');
  expect((await contact.from('post_pages').select('id').throwOnError()).data).toEqual([]);

  // A line is struck after the release: the client's page stays, until it is released again.
  await ask(
    dataDir,
    `update post_entries set struck_at = now(), strike_reason = 'Mistake' where site_id = $1 and text like 'Gate%'`,
    [site.id],
  );
  await office.reload();
  await expect(card.getByRole('list', { name: 'Changed since the release' })).toContainText(
    'Observation: struck through',
  );
  await client.reload();
  await page.getByRole('button', { name: /Pages Gate$/ }).click();
  await expect(entries).toContainText('Gate lock is loose');
  await card.getByRole('button', { name: 'Preview and Release…' }).click();
  await preview.getByRole('button', { name: 'Release Again' }).click();
  await expect(card).toContainText('Version 2');
  await client.reload();
  await expect(page).toContainText('Corrected');
  await page.getByRole('button', { name: /Pages Gate$/ }).click();
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('struck through');
  await expect(client.getByText('Gate lock is loose')).toHaveCount(0);

  await card.getByRole('button', { name: 'Withdraw…' }).click();
  const withdrawing = office.getByRole('dialog', { name: 'Withdraw Page' });
  await withdrawing.getByLabel('Reason').fill('Wrong day');
  await withdrawing.getByRole('button', { name: 'Withdraw' }).click();
  await expect(card).toContainText('Wrong day');
  await client.reload();
  await expect(client.getByRole('list', { name: 'Days' })).toBeVisible();
  await expect(page).toHaveCount(0);
  expect(released).toBeDefined();
});
