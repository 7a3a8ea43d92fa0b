import path from 'node:path';
import type { Config } from '../../../config.ts';
import { type BlobStore, openDisk } from './blob-store.ts';
import { openS3, readStorageUrl } from './s3.ts';

export async function openBlobs({
  dataDir,
  storageUrl,
}: Pick<Config, 'dataDir' | 'storageUrl'>): Promise<BlobStore> {
  return storageUrl === undefined
    ? openDisk(path.join(dataDir, 'storage'))
    : openS3(readStorageUrl(storageUrl));
}
