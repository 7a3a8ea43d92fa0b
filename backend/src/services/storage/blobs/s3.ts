// Blobs in an S3-compatible store. The library is loaded only where STORAGE_URL asks for it.
import { Readable } from 'node:stream';
import { StartError } from '../../../start-error.ts';
import { BlobMissing, type BlobStore } from './blob-store.ts';
import type { S3Address } from './storage-url.ts';

/** Bytes of one part, S3's least; two are under way, so an upload holds about 10 MB however large it is. */
const PART_SIZE = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name);

/** @throws StartError when the store can't be reached or the bucket is not there */
export async function openS3(address: S3Address): Promise<BlobStore> {
  const { bucket, prefix, ...connection } = address;
  const s3 = await import('@aws-sdk/client-s3');
  const { Upload } = await import('@aws-sdk/lib-storage');
  const client = new s3.S3Client({
    ...connection,
    forcePathStyle: true,
    // Stores other than AWS's own don't know its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new s3.HeadBucketCommand({ Bucket: bucket })).catch((error: Error) => {
    client.destroy();
    throw new StartError(
      `The object store at STORAGE_URL can't be used: bucket ${bucket} at ${address.endpoint} answered ${error.name} (${error.message}). Check address, keys and bucket.`,
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
      // A source that fails must end the upload, which may wait for a part at that moment.
      source.once('error', () => void upload.abort());
      await upload.done().catch((error: unknown) => {
        throw source.errored ?? error;
      });
      // The library ends well when it was told to stop after the last part.
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
