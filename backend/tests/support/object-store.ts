// An in-process S3-compatible store for tests with STORAGE_URL, and with backups in a bucket.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver, { type StoreRequest } from 's3rver';
import { cleanUp } from './clean-up.ts';

export interface ObjectStore {
  /** The store's URL in the format of STORAGE_URL. */
  url: string;
  /** The same for another prefix. */
  urlOf(prefix: string): string;
  /** Host and port. */
  host: string;
  /** Absolute path of the bucket's objects, which have names of their own there. */
  folder: string;
  /** Keys of the stored objects below a prefix, without it. */
  keys(prefix?: string): Promise<string[]>;
  /** Uploads in parts that were neither completed nor aborted. */
  unfinished(): Promise<string[]>;
  /** Replaces the answer to the requests for which it returns true. */
  answerInstead(answer: (request: StoreRequest) => boolean | Promise<boolean>): void;
  close(): Promise<void>;
}

export const OBJECT_SUFFIX = '._S3rver_object';
const UPLOADS = '._S3rver_uploads';

const existing = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** @returns a store with one bucket; closed after the tests of a file that has the hook for it */
export async function objectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(path.join(tmpdir(), 'test-s3-'));
  const folder = path.join(directory, 'files');
  const aborted = new Set<string>();
  let answerInstead: Parameters<ObjectStore['answerInstead']>[0] = () => false;
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  store.middleware.unshift(async (request, next) => {
    if (await answerInstead(request)) return;
    const { uploadId } = request.query;
    if (request.method !== 'DELETE' || uploadId === undefined) return next();
    // AbortMultipartUpload, which the package lacks. Its folder stays until the end: the package throws outside the
    // request when the folder of a part that it is about to write is gone.
    aborted.add(uploadId);
    request.status = 204;
  });
  const { port } = await store.run();
  const close = async (): Promise<void> => {
    store.httpServer.closeAllConnections();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  };
  let isClosed = false;
  const closeOnce = async (): Promise<void> => {
    if (!isClosed) await close();
    isClosed = true;
  };
  cleanUp(closeOnce);
  const host = `127.0.0.1:${port}`;
  const urlOf = (prefix: string): string => `s3://S3RVER:S3RVER@${host}/files/${prefix}?ssl=off`;
  return {
    url: urlOf('company'),
    urlOf,
    host,
    folder,
    keys: async (prefix = 'company') =>
      (await existing(path.join(folder, prefix)))
        .filter((name) => name.endsWith(OBJECT_SUFFIX))
        .map((name) => name.slice(0, -OBJECT_SUFFIX.length)),
    unfinished: async () =>
      (await existing(path.join(folder, UPLOADS))).filter((uploadId) => !aborted.has(uploadId)),
    answerInstead: (answer) => {
      answerInstead = answer;
    },
    close: closeOnce,
  };
}
