// Photos that were stored but never set are removed at night, with their bytes.
import { agreeing, keptFiles } from 'supabase-in-node/testing/buckets';
import { picture } from 'supabase-in-node/testing/samples';
import { expect, test } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer({ LOG_LEVEL: 'fatal' });
const { owner } = server.database;

test('a photo that no person got within a week is removed, and the photo of a person stays', async () => {
  const hr = await server.signedUp();
  await owner.query(`insert into user_roles (user_id, role) values ($1, 'hr')`, [hr.id]);
  const photos = hr.client.storage.from('photos');
  const upload = async (): Promise<string> => {
    const path = `${crypto.randomUUID()}.jpg`;
    const { error } = await photos.upload(path, await picture('jpeg'), {
      contentType: 'image/jpeg',
    });
    expect(error).toBeNull();
    return path;
  };
  const [own, unused, young] = [await upload(), await upload(), await upload()];
  const set = await hr.client.rpc('set_person_photo', { p_user_id: hr.id, p_path: own });
  expect(set.error).toBeNull();
  const age = (paths: string[], time: string) =>
    owner.query(
      `update storage.objects set created_at = now() - interval '7 days' - $2::interval where name = any ($1)`,
      [paths, time],
    );
  await age([own, unused], '1 minute');
  await age([young], '-1 hour');

  // Whether or not the server has begun this night: the photos are all that is left to it.
  await owner.query(
    `insert into private.retention_runs (kind, night, finished_at)
     select kind, private.retention_night(now()), case when kind <> 'unused_photos' then now() end
     from public.retention_rules
     on conflict (kind, night) do update set finished_at = excluded.finished_at, position = 1`,
  );
  const isOver = async (): Promise<boolean> => {
    const { rowCount } = await owner.query(
      `select from private.retention_runs where kind = 'unused_photos' and finished_at is not null`,
    );
    return rowCount === 1;
  };
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);

  const found = async (path: string) => (await photos.download(path)).error === null;
  expect([await found(own), await found(unused), await found(young)]).toEqual([true, false, true]);
  // The store frees the bytes with the next removal.
  expect((await photos.remove([young])).error).toBeNull();
  await agreeing(server);
  expect(await keptFiles(server)).toHaveLength(1);
});
