// Blobs in an S3-compatible store. The SDK is loaded only if STORAGE_URL is set.

import path from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../../../config.ts';
import { StartError } from '../../../start-error.ts';
import { BlobMissing, type BlobStore, openDisk } from './blob-store.ts';

export interface S3Address {
  endpoint: string;
  region: string;
  bucket: string;
  /** Of every key; empty or ending in a slash. */
  prefix: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

const FORM = 's3://key:secret@host:port/bucket?region=us-east-1&ssl=on';

/**
 * Parses STORAGE_URL: s3://key:secret@host[:port]/bucket[/prefix][?region=…&ssl=on|off]. Key and secret are
 * percent-encoded; TLS is on by default.
 * @throws StartError, without the secret
 */
export function readStorageUrl(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [bucket = '', ...folders] = url?.pathname.split('/').slice(1) ?? [];
  if (url === undefined || url.protocol !== 's3:' || url.hostname === '' || bucket === '') {
    throw new StartError(`STORAGE_URL is not valid. Write it like ${FORM}`);
  }
  const ssl = url.searchParams.get('ssl') ?? 'on';
  if (ssl !== 'on' && ssl !== 'off') throw new StartError('STORAGE_URL: ssl must be on or off.');
  const prefix = folders.filter((folder) => folder !== '').join('/');
  return {
    endpoint: `${ssl === 'on' ? 'https' : 'http'}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket: decodeURIComponent(bucket),
    prefix: prefix === '' ? '' : `${decodeURIComponent(prefix)}/`,
    credentials: {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    },
  };
}

/** S3's minimum; with two parts at a time an upload of any size uses about 10 MB of memory. */
const PART_SIZE = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name);

/** @throws StartError when the store can't be reached or the bucket does not exist */
export async function openS3(address: S3Address): Promise<BlobStore> {
  const { bucket, prefix, ...connection } = address;
  const s3 = await import('@aws-sdk/client-s3');
  const { Upload } = await import('@aws-sdk/lib-storage');
  const client = new s3.S3Client({
    ...connection,
    forcePathStyle: true,
    // Other stores don't support AWS's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new s3.HeadBucketCommand({ Bucket: bucket })).catch((error: Error) => {
    client.destroy();
    throw new StartError(
      `The object store at STORAGE_URL can't be used: bucket ${bucket} at ${address.endpoint} returned ${error.name} (${error.message}). Check address, keys and bucket.`,
    );
  });
  const keyOf = (id: string): { Bucket: string; Key: string } => ({
    Bucket: bucket,
    Key: `${prefix}${id}`,
  });

  return {
    isExclusive: false,
    write: async (id, source) => {
      const upload = new Upload({
        client,
        params: { ...keyOf(id), Body: source },
        partSize: PART_SIZE,
        queueSize: PARTS_AT_ONCE,
      });
      // Ends an upload that is waiting for a part of a failed source.
      source.once('error', () => void upload.abort());
      await upload.done().catch((error: unknown) => {
        throw source.errored ?? error;
      });
      // An abort after the last part does not reject.
      if (source.errored) throw source.errored;
    },
    read: async (id, range) => {
      const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
      const { Body } = await client
        .send(new s3.GetObjectCommand({ ...keyOf(id), ...part }))
        .catch((error: unknown) => {
          throw isMissing(error) ? new BlobMissing(id) : error;
        });
      if (!(Body instanceof Readable)) throw new Error('The object store sent no stream.');
      return Body;
    },
    remove: async (id) => {
      await client.send(new s3.DeleteObjectCommand(keyOf(id)));
    },
    close: async () => client.destroy(),
  };
}

/** @param isBeside whether this is a command beside the server, which goes on writing */
export async function openBlobs(
  { dataDir, storageUrl }: Pick<Config, 'dataDir' | 'storageUrl'>,
  isBeside = false,
): Promise<BlobStore> {
  return storageUrl === undefined
    ? openDisk(path.join(dataDir, 'storage'), isBeside)
    : openS3(readStorageUrl(storageUrl));
}
