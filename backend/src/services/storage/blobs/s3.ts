import path from 'node:path';
import type { Config } from '../../../config.ts';
import { StartError } from '../../../start-error.ts';
import { BlobDamaged, BlobMissing, type BlobStore, openDisk } from './blob-store.ts';
import { openBucket, type S3Address, whyUnusable } from './bucket.ts';

const FORM = 's3://key:secret@host:port/bucket?region=us-east-1&ssl=on';

/**
 * Parses s3://key:secret@host[:port]/bucket[/prefix][?region=…&ssl=on|off]. Key and secret are percent-encoded; TLS is on
 * by default.
 * @param setting where it was written, for the error
 * @throws StartError, without the secret
 */
export function readStorageUrl(text: string, setting = 'STORAGE_URL'): S3Address {
  const invalid = (): StartError =>
    new StartError(`${setting} is not valid. Write it like ${FORM}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [bucket = '', ...folders] = url?.pathname.split('/').slice(1) ?? [];
  // Without a key, an unencoded slash in the secret has made it a part of the path.
  const hasKey = url !== undefined && url.username !== '' && url.password !== '';
  if (url?.protocol !== 's3:' || url.hostname === '' || bucket === '' || !hasKey) throw invalid();
  const ssl = url.searchParams.get('ssl') ?? 'on';
  if (ssl !== 'on' && ssl !== 'off') throw new StartError(`${setting}: ssl must be on or off.`);
  const prefix = folders.filter((folder) => folder !== '').join('/');
  try {
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
  } catch {
    throw invalid();
  }
}

const isNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error && names.includes(error.name);
const isMissing = (error: unknown): boolean => isNamed(error, 'NoSuchKey', 'NotFound');

/** @throws StartError when the store can't be reached or the bucket does not exist */
async function openS3(address: S3Address): Promise<BlobStore> {
  const bucket = await openBucket(address).catch((error: unknown) => {
    throw new StartError(
      `The object store at STORAGE_URL can't be used: ${whyUnusable(error, address)}. Check address, keys and bucket.`,
    );
  });
  return {
    isExclusive: false,
    write: async (id, source) => {
      await bucket.upload(id, source);
    },
    read: async (id, { size, range } = {}) => {
      const { data, total } = await bucket.read(id, range).catch((error: unknown) => {
        if (isMissing(error)) throw new BlobMissing(id);
        // It is shorter than its row says.
        throw isNamed(error, 'InvalidRange') ? new BlobDamaged(id, size) : error;
      });
      if (size !== undefined && total !== size) {
        data.destroy();
        throw new BlobDamaged(id, size);
      }
      return data;
    },
    check: async (id, size) => {
      const total = await bucket.sizeOf(id).catch((error: unknown) => {
        throw isMissing(error) ? new BlobMissing(id) : error;
      });
      if (total !== size) throw new BlobDamaged(id, size);
    },
    remove: (id) => bucket.remove(id),
    close: async () => bucket.close(),
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
