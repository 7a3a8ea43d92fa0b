import path from 'node:path';
import type { S3Address } from '../services/storage/blobs/bucket.ts';
import { readStorageUrl } from '../services/storage/blobs/s3.ts';
import { StartError } from '../start-error.ts';
import type { ArchivePlace } from './archive-place.ts';
import { openBucketPlace } from './bucket-place.ts';
import { openFolder } from './folder-place.ts';

/** The setting that names a place: the absolute path of a folder, or a bucket with its credentials. */
export type PlaceAddress = { folder: string } | { bucket: S3Address };

export interface ArchiveAddress {
  place: PlaceAddress;
  name: string;
}

const isBucket = (text: string): boolean => /^s3:/i.test(text);

/**
 * @param setting where it was written, for the error
 * @param base absolute path that the path of a folder is relative to
 * @throws StartError, without the secret
 */
export function readPlace(text: string, setting: string, base: string): PlaceAddress {
  return isBucket(text)
    ? { bucket: readStorageUrl(text, setting) }
    : { folder: path.resolve(base, text) };
}

/**
 * @param text path, or s3:// address with or without credentials
 * @param known place whose credentials are used for an address without any
 * @throws StartError, without the secret
 */
export function readArchiveAddress(
  text: string,
  base: string,
  known: PlaceAddress | undefined,
): ArchiveAddress {
  if (!isBucket(text)) {
    const file = path.resolve(base, text);
    return { place: { folder: path.dirname(file) }, name: path.basename(file) };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bucket =
    url !== undefined && url.username === '' && url.password === ''
      ? withCredentials(url, known)
      : readStorageUrl(text, 'The address of the archive');
  const { prefix } = bucket;
  const isNamed = prefix !== '' && url?.pathname.endsWith('/') === false;
  if (!isNamed) {
    throw new StartError(
      'Name the archive in the bucket, for example s3://host/bucket/prefix/statesman-20261123-020000-000.backup',
    );
  }
  const name = path.posix.basename(prefix);
  const place = { bucket: { ...bucket, prefix: prefix.slice(0, -name.length - 1) } };
  return { place, name };
}

/** @throws StartError if the known place is another bucket, which must not get these credentials */
function withCredentials(url: URL, known: PlaceAddress | undefined): S3Address {
  const own = known !== undefined && 'bucket' in known ? known.bucket : undefined;
  if (own !== undefined) {
    const { endpoint, region, credentials } = own;
    const { protocol } = new URL(endpoint);
    const { accessKeyId, secretAccessKey } = credentials;
    const full = new URL(url);
    full.username = encodeURIComponent(accessKeyId);
    full.password = encodeURIComponent(secretAccessKey);
    full.searchParams.set('region', region);
    full.searchParams.set('ssl', protocol === 'https:' ? 'on' : 'off');
    const address = readStorageUrl(full.href, 'The address of the archive');
    const isSame = new URL(address.endpoint).host === new URL(endpoint).host;
    if (isSame && address.bucket === own.bucket) return address;
  }
  throw new StartError(
    'The address of the archive has no key and secret, and BACKUP_DIR is not of the same host and bucket. Set BACKUP_DIR=s3://key:secret@host/bucket/prefix as for npm start.',
  );
}

/** @returns undefined for an archive in a bucket */
export function localPath({ place, name }: ArchiveAddress): string | undefined {
  return 'folder' in place ? path.join(place.folder, name) : undefined;
}

/** Opens a place while `work` runs. @param signal ends its requests @throws StartError */
export async function withPlace<T>(
  address: PlaceAddress,
  signal: AbortSignal,
  work: (place: ArchivePlace) => Promise<T>,
): Promise<T> {
  const place =
    'folder' in address
      ? openFolder(address.folder)
      : await openBucketPlace(address.bucket, signal);
  try {
    return await work(place);
  } finally {
    place.close();
  }
}
