// Archives in a bucket of an S3-compatible store, without a database.
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import type { ArchivePlace } from '#backend/backup/archive-place.ts';
import { openBucketPlace } from '#backend/backup/bucket-place.ts';
import { keepNewest } from '#backend/backup/keep-newest.ts';
import { readStorageUrl } from '#backend/services/storage/blobs/s3.ts';
import { cleanUp } from '#tests/support/clean-up.ts';
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts';

const MB = 1024 * 1024;
const { signal: never } = new AbortController();

let store: ObjectStore;
let place: ArchivePlace;

beforeEach(async () => {
  store = await objectStore();
  place = await openPlace(store.urlOf('backups/a b'));
});

async function openPlace(url: string, idleMs?: number, signal = never): Promise<ArchivePlace> {
  const opened = await openBucketPlace(readStorageUrl(url), signal, idleMs);
  cleanUp(async () => opened.close());
  return opened;
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}

const archives = (): Promise<string[]> => store.keys('backups/a b');

test.each([0, 1, 8 * MB, 8 * MB + 1, 25 * MB])(
  'an archive of %i bytes comes back unchanged',
  async (size) => {
    const bytes = randomBytes(size);
    expect(await place.write('x.backup', pieces(bytes), 0)).toBe(size);
    expect(await place.list()).toEqual(['x.backup']);
    expect(await store.unfinished()).toEqual([]);
    const read = await place.read('x.backup');
    expect(read.bytes).toBe(size);
    expect((await buffer(read.data)).equals(bytes)).toBe(true);
    await place.remove('x.backup');
    await place.remove('x.backup');
    expect(await archives()).toEqual([]);
  },
);

test('its address has no key, no secret and no settings', () => {
  expect(place.addressOf('x.backup')).toBe(`s3://${store.host}/files/backups/a%20b/x.backup`);
});

test('nothing has its name until it is complete, and nothing is left when it is aborted', async () => {
  const stopping = new AbortController();
  async function* endless(): AsyncGenerator<Buffer> {
    for (let n = 0; ; n += 1) {
      // Parts have been sent, and more are on their way.
      if (n === 40) {
        expect(await store.unfinished()).toHaveLength(1);
        expect(await place.list()).toEqual([]);
        stopping.abort();
      }
      stopping.signal.throwIfAborted();
      yield Buffer.alloc(MB);
    }
  }
  const stoppable = await openPlace(store.urlOf('backups/a b'), undefined, stopping.signal);
  const written = stoppable.write('x.backup', endless(), 0);
  await expect(written).rejects.toThrow(/aborted/);
  expect(await archives()).toEqual([]);
  expect(await store.unfinished()).toEqual([]);
});

test('a failure of its source is reported unchanged, and nothing is left', async () => {
  const failure = new Error('The database was stopped.');
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(20 * MB);
    throw failure;
  }
  await expect(place.write('x.backup', failing(), 0)).rejects.toBe(failure);
  expect(await store.unfinished()).toEqual([]);
  expect(await archives()).toEqual([]);
});

test('a stalled upload ends with a sentence, and nothing is left', async () => {
  // Long enough for the first part, and for removing the upload, on a busy machine.
  const impatient = await openPlace(store.urlOf('backups/a b'), 1_500);
  store.answerInstead(({ query }) => query.partNumber === '2' && new Promise(() => {}));
  await expect(impatient.write('x.backup', pieces(Buffer.alloc(30 * MB)), 0)).rejects.toThrow(
    `${place.addressOf('x.backup')} was not stored: http://${store.host} does not answer. There is no archive of that name.`,
  );
  expect(await store.unfinished()).toEqual([]);
  expect(await archives()).toEqual([]);
});

test('a stop does not wait for a store that is silent', async () => {
  const stopping = new AbortController();
  store.answerInstead(() => {
    stopping.abort();
    return new Promise(() => {});
  });
  const opened = openPlace(store.urlOf('backups'), undefined, stopping.signal);
  await expect(opened).rejects.toMatchObject({ name: 'AbortError' });
});

test('a full store is explained, and nothing is left', async () => {
  store.answerInstead((request) => {
    if (request.query.partNumber !== '3') return false;
    request.status = 507;
    return true;
  });
  await expect(place.write('x.backup', pieces(Buffer.alloc(30 * MB)), 0)).rejects.toThrow(
    /was not stored: the store at .* is full\./,
  );
  expect(await store.unfinished()).toEqual([]);
});

test('an upload whose last answer was lost has succeeded', async () => {
  store.answerInstead(({ method, query, req, res }) => {
    const isLast = method === 'POST' && query.uploadId !== undefined;
    if (isLast) Object.assign(res, { end: () => req.socket.destroy() });
    return false;
  });
  const bytes = Buffer.alloc(9 * MB, 'x');
  expect(await place.write('x.backup', pieces(bytes), 0)).toBe(bytes.length);
  expect(await archives()).toEqual(['x.backup']);
});

test('a download that is cut or stalls ends with a sentence', async () => {
  await place.write('x.backup', pieces(Buffer.alloc(9 * MB)), 0);
  const impatient = await openPlace(store.urlOf('backups/a b'), 1_000);
  let hasPart: (() => void) | undefined;
  store.answerInstead(({ method, path, res }) => {
    if (method !== 'GET' || !path.endsWith('.backup')) return false;
    res.writeHead(200, { 'content-length': 1000 });
    res.write('some', hasPart);
    return new Promise(() => {});
  });
  const stalled = await impatient.read('x.backup');
  await expect(buffer(stalled.data)).rejects.toThrow(
    /x\.backup was not read to its end: .* does not answer\. Nothing was changed\.$/,
  );
  hasPart = () => void store.close();
  const cut = await place.read('x.backup');
  await expect(buffer(cut.data)).rejects.toThrow(
    /was not read to its end: the connection to .* was lost/,
  );
});

test('an archive that is missing is named', async () => {
  await expect(place.read('x.backup')).rejects.toThrow(
    `There is no archive ${place.addressOf('x.backup')}.`,
  );
});

test.each([
  ['a wrong key', 's3://nobody:s3cr3t@HOST/files/backups?ssl=off', /refuses the key or the secret/],
  ['a missing bucket', 's3://S3RVER:S3RVER@HOST/other/backups?ssl=off', /has no bucket other/],
  ['no store', 's3://key:s3cr3t@127.0.0.1:1/files?ssl=off', /can't be reached \(ECONNREFUSED\)/],
  ['TLS where there is none', 's3://S3RVER:S3RVER@HOST/files', /no TLS connection/],
])('%s is explained', async (_what, url, sentence) => {
  const opened = openPlace(url.replace('HOST', store.host));
  await expect(opened).rejects.toThrow(sentence);
  await expect(opened).rejects.toThrow(/^The archives in s3:\/\/127\.0\.0\.1.* can't be used: /);
  await expect(opened).rejects.not.toThrow(/s3cr3t|S3RVER/);
});

test('a wrong secret is explained', async () => {
  // The store of the tests does not check signatures.
  store.answerInstead((request) => {
    request.status = 403;
    return true;
  });
  await expect(openPlace(store.urlOf('backups'))).rejects.toThrow(
    `The archives in s3://${store.host}/files/backups can't be used: http://${store.host} refuses the key or the secret for bucket files (403). Check its address, key, secret and bucket. Nothing was changed.`,
  );
});

test('old archives are removed, and nothing else', async () => {
  const days = ['01', '02', '03', '04'].map((day) => `company-202601${day}-000000-000.backup`);
  const others = ['company-1.backup', 'other-20260101-000000-000.backup', 'notes.txt'];
  for (const name of [...days, ...others]) await place.write(name, pieces(Buffer.alloc(1)), 0);
  const below = await openPlace(store.urlOf('backups/a b/below'));
  const beside = await openPlace(store.urlOf('backups'));
  for (const other of [below, beside]) await other.write(days[0] ?? '', pieces(Buffer.alloc(1)), 0);
  await keepNewest(place, 'company', 2);
  expect((await place.list()).sort()).toEqual([...days.slice(2), ...others].sort());
  for (const other of [below, beside]) expect(await other.list()).toEqual([days[0]]);
});
