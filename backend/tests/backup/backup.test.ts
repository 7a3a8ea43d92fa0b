// Backups of an external database with its objects in an S3-compatible store.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import type { ArchivePlace } from '#backend/backup/archive-place.ts';
import { type Backup, createBackup } from '#backend/backup/create-backup.ts';
import { openFolder } from '#backend/backup/folder-place.ts';
import { readArchiveAddress, readPlace, withPlace } from '#backend/backup/place-address.ts';
import { restoreArchive } from '#backend/backup/restore.ts';
import { verifyArchive } from '#backend/backup/verify.ts';
import { withClient } from '#backend/database/with-client.ts';
import { openBlobs } from '#backend/services/storage/blobs/s3.ts';
import { BACKUP_LOCK } from '#backend/services/storage/blobs/space.ts';
import { openBucket } from '#tests/support/buckets.ts';
import { cleanUp } from '#tests/support/clean-up.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { objectStore } from '#tests/support/object-store.ts';
import { otherProject, type TestServer, testServer } from '#tests/support/server.ts';

const passphrase = 'twelve guards at the gate';
const product = { name: 'company', version: '1.2.3' };
const sourceDir = path.resolve(import.meta.dirname, '..', '..', 'src');
const { signal } = new AbortController();
const progress = (): void => {};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'test-backups-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
});

const backUp = (
  { database, context }: TestServer,
  place: ArchivePlace = openFolder(folder),
): Promise<Backup> =>
  createBackup({
    connection: database.connection,
    dataDir: context.config.dataDir,
    blobs: context.blobs,
    place,
    passphrase,
    product,
    isScheduled: false,
    signal,
  });

test('rows of every type and name are the same after a restore', async () => {
  const server = await otherProject('shop');
  // No migration makes these.
  await server.database.owner.query(`
    create table shop.visits_2026 partition of shop.visits for values from ('2026-01-01') to ('2027-01-01');
    insert into shop.visits (id, day) values (1, '2026-11-23');
    create schema "By hand";
    create table "By hand"."Tools; drop" (id bigserial primary key, kind text not null default 'x' check (kind <> ''), note text);
    create index on "By hand"."Tools; drop" (kind);
    insert into "By hand"."Tools; drop" (note) values (E'a\\n\tb'), (null), ('Ünïcödé')`);
  const { address, rows } = await backUp(server);
  const source = readArchiveAddress(address, folder, undefined);
  const { projectDir } = server.context.config;
  const manifest = await verifyArchive({
    source,
    passphrase,
    projectDir,
    sourceDir,
    product,
    progress,
    signal,
  });
  expect(manifest.header).toMatchObject({ product: 'company', version: '1.2.3' });
  const counts = manifest.entries.map(({ table }) => table?.rows ?? 0);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows);
  expect(manifest.entries).toContainEqual(
    expect.objectContaining({
      name: 'visits_2026',
      definition: expect.arrayContaining([expect.stringContaining('partition of shop.visits')]),
      table: expect.objectContaining({ rows: 1 }),
    }),
  );
});

test('a database and a bucket are restored into new ones, and nothing is overwritten', async () => {
  const store = await objectStore();
  const server = await testServer({ STORAGE_URL: store.url });
  const bucket = await openBucket(server);
  const files = server.client().storage.from(bucket);
  expect((await files.upload('note.txt', 'at the gate')).error).toBeNull();
  const { address, missing } = await backUp(server);
  expect(missing).toEqual([]);

  const elsewhere = await objectStore();
  const target = await freshDatabase('nothing');
  const { projectDir } = server.context.config;
  const config = {
    dataDir: path.join(folder, 'restored'),
    databaseUrl: target.url,
    storageUrl: elsewhere.url,
    projectDir,
  };
  const source = readArchiveAddress(address, folder, undefined);
  const options = { source, passphrase, config, sourceDir, product, progress, signal };
  await restoreArchive(options);
  const { rows } = await target.owner.query<{ version: string }>(
    `select version from storage.objects where name = 'note.txt'`,
  );
  expect(await elsewhere.keys()).toEqual(rows.map(({ version }) => version));
  const blobs = await openBlobs(config);
  expect(await text(await blobs.read(rows[0]?.version ?? ''))).toBe('at the gate');
  await blobs.close();
  expect(await readdir(path.join(config.dataDir, 'keys'))).toContain('jwt.json');

  await expect(restoreArchive(options)).rejects.toThrow('is not empty');
  const other = { ...config, dataDir: path.join(folder, 'other') };
  await expect(restoreArchive({ ...options, config: other })).rejects.toThrow(
    'The database at DATABASE_URL is not empty',
  );
});

test('during a backup removed files stay in the store, and a second backup is refused', async () => {
  const store = await objectStore();
  const server = await testServer({ STORAGE_URL: store.url });
  const files = server.client().storage.from(await openBucket(server));
  for (const name of ['a.txt', 'b.txt']) await files.upload(name, name);
  await withClient(server.database.connection, async (client) => {
    await client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);
    await expect(backUp(server)).rejects.toThrow('Another backup is running');
    expect((await files.remove(['a.txt'])).error).toBeNull();
    // The next upload that replaces a file collects again, and waits for its run.
    await files.upload('b.txt', 'again', { upsert: true });
    expect(await store.keys()).toHaveLength(3);
  });
  await files.remove(['b.txt']);
  await expect.poll(() => store.keys()).toEqual([]);
});

test('an archive in a bucket is recorded without secrets, verified and restored', async () => {
  const store = await objectStore();
  const known = readPlace(store.urlOf('backups'), 'BACKUP_DIR', folder);
  const server = await testServer({ STORAGE_URL: store.url });
  const files = server.client().storage.from(await openBucket(server));
  const photo = Buffer.alloc(9 * 1024 * 1024, 'photo ');
  expect((await files.upload('photo.bin', photo)).error).toBeNull();
  const { address, name, bytes } = await withPlace(known, signal, (place) => backUp(server, place));
  expect(address).toBe(`s3://${store.host}/files/backups/${name}`);
  expect(await store.keys('backups')).toEqual([name]);
  const { rows } = await server.database.owner.query<{ file: string; bytes: number }>(
    'select file, bytes::int from platform.backups order by id desc limit 1',
  );
  expect(rows).toEqual([{ file: address, bytes }]);

  const source = readArchiveAddress(address, folder, known);
  const { projectDir } = server.context.config;
  const options = { source, passphrase, sourceDir, product, progress, signal };
  const manifest = await verifyArchive({ ...options, projectDir });
  const target = await freshDatabase('nothing');
  const dataDir = path.join(folder, 'from-bucket');
  const config = { dataDir, databaseUrl: target.url, storageUrl: undefined, projectDir };
  const other = restoreArchive({ ...options, config, passphrase: 'thirteen guards' });
  await expect(other).rejects.toThrow('is not the passphrase');
  await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  expect(await restoreArchive({ ...options, config })).toEqual(manifest);
  // The downloaded archive is gone.
  expect((await readdir(dataDir)).sort()).toEqual(['keys', 'storage']);
  const versions = await target.owner.query<{ version: string }>(
    `select version from storage.objects where name = 'photo.bin'`,
  );
  const blobs = await openBlobs(config);
  const read = await buffer(await blobs.read(versions.rows[0]?.version ?? ''));
  expect(read.equals(photo)).toBe(true);
  await blobs.close();
});

test('a backup into a bucket that fails leaves nothing', async () => {
  const store = await objectStore();
  const server = await testServer({ STORAGE_URL: store.url });
  const files = server.client().storage.from(await openBucket(server));
  // More than one part when it is encrypted.
  expect((await files.upload('noise.bin', randomBytes(20 * 1024 * 1024))).error).toBeNull();
  const target = readPlace(store.urlOf('backups'), '--to', folder);
  await withPlace(target, signal, async (place) => {
    store.answerInstead((request) => {
      if (request.query.partNumber !== '2') return false;
      request.status = 403;
      return true;
    });
    await expect(backUp(server, place)).rejects.toThrow(
      /\.backup was not stored: .* refuses the key or the secret.* There is no archive of that name\./,
    );
  });
  expect(await store.keys('backups')).toEqual([]);
  expect(await store.unfinished()).toEqual([]);
  const { rows } = await server.database.owner.query('select from platform.backups');
  expect(rows).toEqual([]);
});
