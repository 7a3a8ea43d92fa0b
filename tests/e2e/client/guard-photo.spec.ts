// The photo of a guard: set by HR, and seen by a contact of the client while the guard is on post.
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { emailOf } from '#tests/e2e/support/people.ts';
import { PIXEL } from '#tests/e2e/support/pixel.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('HR adds a photo, removes it and undoes that; the client and the guard see it', async ({
  openAs,
  databaseOf,
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  await guard.attends(new Date(Date.now() - 600_000).toISOString());
  const { fullName } = guard.person;
  const firstName = fullName.split(' ')[0] ?? '';
  const backend = await service(url, dataDir);
  const { data: me } = await backend
    .from('client_contacts')
    .select('client_id')
    .eq('email', emailOf('client'))
    .single()
    .throwOnError();
  const giveSiteTo = (client_id: string | null) =>
    backend.from('sites').update({ client_id }).eq('name', guard.siteName).throwOnError();
  await giveSiteTo(me.client_id);

  const contact = await openAs('client', { viewport: { width: 360, height: 740 } });
  await contact.goto('/client');
  const site = contact.getByRole('region', { name: guard.siteName });
  const face = site.getByRole('img', { name: firstName });
  await expect(site.getByText(`${firstName}, since`)).toBeVisible();
  await expect(face).toHaveCount(0);

  const hr = await openAs('hr');
  await hr.goto(`/admin/people/${guard.session.user.id}`);
  const photo = hr.getByRole('img', { name: fullName });
  await expect(hr.getByRole('button', { name: 'Add Photo' })).toBeVisible();
  await hr.getByLabel('Photo', { exact: true }).setInputFiles({
    name: 'face.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  });
  await expect(hr.getByText('Photo added')).toBeVisible();
  await expect(photo).toBeVisible();
  await hr.getByRole('button', { name: 'Remove Photo' }).click();
  await expect(hr.getByText('Photo removed')).toBeVisible();
  await expect(photo).toHaveCount(0);
  await hr.getByRole('button', { name: 'Undo' }).click();
  await expect(hr.getByText('Photo restored')).toBeVisible();
  await expect(photo).toBeVisible();

  await contact.reload();
  await expect(face).toBeVisible();
  const phone = await newPhone(browser, url, guard);
  await phone.goto('/staff/me');
  await expect(phone.getByRole('img', { name: fullName })).toBeVisible();
  await phone.context().close();

  // Replaced: the former file is gone.
  const files = async () => {
    const { data } = await backend
      .from('profiles')
      .select('photo_path')
      .eq('id', guard.session.user.id)
      .single()
      .throwOnError();
    return data.photo_path ?? '';
  };
  const former = await files();
  const { storage } = await databaseOf('hr');
  expect((await storage.from('photos').download(former)).error).toBeNull();
  await hr.getByLabel('Photo', { exact: true }).setInputFiles({
    name: 'face.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  });
  await expect(hr.getByText('Photo replaced')).toBeVisible();
  expect(await files()).not.toBe(former);
  expect((await storage.from('photos').download(former)).error).not.toBeNull();

  // A site of another client: the contact no longer reaches the file.
  const seen = (await databaseOf('client')).storage.from('photos');
  expect((await seen.download(await files())).error).toBeNull();
  await giveSiteTo(null);
  expect((await seen.download(await files())).error).not.toBeNull();
});
