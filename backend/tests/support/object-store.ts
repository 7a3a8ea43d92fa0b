// An in-process S3-compatible store for tests with STORAGE_URL.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { cleanUp } from './clean-up.ts';

export interface ObjectStore {
  /** The store's URL in the format of STORAGE_URL. */
  url: string;
  /** Keys of the stored objects. */
  keys(): Promise<string[]>;
}

const SUFFIX = '._S3rver_object';

/** @returns a store with one bucket, closed after the file's tests */
export async function objectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(path.join(tmpdir(), 'test-s3-'));
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await store.run();
  cleanUp(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/files/company?ssl=off`,
    keys: async () =>
      (await readdir(path.join(directory, 'files', 'company')).catch(() => []))
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length)),
  };
}
