import { Readable } from 'node:stream';
import {
  MAX_PARTS,
  openBucket,
  type S3Address,
  whyUnusable,
} from '../services/storage/blobs/bucket.ts';
import { StartError } from '../start-error.ts';
import type { ArchivePlace } from './archive-place.ts';

/** After which a connection without progress has stalled. The SDK tries three times. */
const IDLE_MS = 60_000;
const MIN_PART_BYTES = 8 * 1024 * 1024;
/** An archive that grows beyond what was expected still fits. */
const EXPECTED_PARTS = MAX_PARTS * 0.8;

/**
 * @param signal ends its requests, which reject with the signal's reason
 * @param idleMs for tests
 * @throws StartError
 */
export async function openBucketPlace(
  address: S3Address,
  signal: AbortSignal,
  idleMs = IDLE_MS,
): Promise<ArchivePlace> {
  const { host } = new URL(address.endpoint);
  const segments = [address.bucket, ...address.prefix.split('/')].filter((part) => part !== '');
  const shown = `s3://${[host, ...segments.map(encodeURIComponent)].join('/')}`;
  const addressOf = (name: string): string => `${shown}/${name}`;
  const refusal = (what: string, error: unknown, todo: string): unknown =>
    signal.aborted
      ? signal.reason
      : new StartError(`${what}: ${whyUnusable(error, address)}. ${todo}`, { cause: error });

  const bucket = await openBucket(address, { idleMs, signal }).catch((error: unknown) => {
    const todo = 'Check its address, key, secret and bucket. Nothing was changed.';
    throw refusal(`The archives in ${shown} can't be used`, error, todo);
  });
  return {
    folder: undefined,
    addressOf,
    write: async (name, archive, expectedBytes) => {
      const partBytes = Math.max(MIN_PART_BYTES, Math.ceil(expectedBytes / EXPECTED_PARTS));
      let sourceError: unknown;
      const source = mapError(archive, (error) => {
        sourceError = error;
        return error;
      });
      try {
        return await bucket.upload(name, source, partBytes);
      } catch (error) {
        if (error === sourceError) throw error;
        const todo = 'There is no archive of that name.';
        throw refusal(`${addressOf(name)} was not stored`, error, todo);
      }
    },
    read: async (name) => {
      const { data, bytes } = await bucket.read(name).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'NoSuchKey') {
          throw new StartError(`There is no archive ${addressOf(name)}.`);
        }
        throw refusal(`${addressOf(name)} can't be read`, error, 'Nothing was changed.');
      });
      const explained = mapError(data, (error) =>
        refusal(`${addressOf(name)} was not read to its end`, error, 'Nothing was changed.'),
      );
      return { data: Readable.from(explained, { objectMode: false }), bytes };
    },
    list: () =>
      bucket.list().catch((error: unknown) => {
        throw refusal(`The archives in ${shown} can't be listed`, error, 'None was removed.');
      }),
    remove: (name) =>
      bucket.remove(name).catch((error: unknown) => {
        throw refusal(`${addressOf(name)} can't be removed`, error, 'Check what the key may do.');
      }),
    close: () => bucket.close(),
  };
}

async function* mapError(
  data: AsyncIterable<Buffer>,
  map: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    yield* data;
  } catch (error) {
    throw map(error);
  }
}
