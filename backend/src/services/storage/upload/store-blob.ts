import { createHash } from 'node:crypto';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { allowsType, type Bucket, sizeLimitOf } from '../buckets/bucket.ts';
import { isGenericType, verifiedType } from '../content/verified-type.ts';
import { incomplete, tooLarge, wrongType } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';

/** Hexadecimal digits of the SHA-256. */
const ETAG_LENGTH = 32;

/** Limits the size of a stream, and computes its ETag. */
export class UploadMeter extends Transform {
  /** Bytes so far. Not named `size`, because libraries treat a stream with that property as a file of known length. */
  seen = 0;
  readonly #hash = createHash('sha256');
  readonly #limit: number;

  /** @param limit in bytes; more fails with EntityTooLarge */
  constructor(limit: number) {
    super({ highWaterMark: 256 * 1024 });
    this.#limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.seen += chunk.length;
    if (this.seen > this.#limit) {
      done(tooLarge());
      return;
    }
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Call after the end of the stream. @returns the quoted ETag */
  eTag(): string {
    return `"${this.#hash.digest('hex').slice(0, ETAG_LENGTH)}"`;
  }
}

export interface StoredBlob {
  /** Id of the blob. */
  version: string;
  /** Bytes. */
  size: number;
  /** Quoted. */
  eTag: string;
  type: string;
}

/** @returns the type without parameters, in lower case */
export const bareType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

export function verifiesContent(service: Service, bucket: Bucket): boolean {
  return service.context.settings.storage.buckets[bucket.id]?.verify_content ?? false;
}

/**
 * Checks the declared type and length before the file is received.
 * @throws StorageError EntityTooLarge or InvalidMimeType
 */
export function checkDeclared(
  service: Service,
  bucket: Bucket,
  type: string,
  length: number | undefined,
): void {
  if ((length ?? 0) > sizeLimitOf(service, bucket)) throw tooLarge();
  const bare = bareType(type);
  // The type will be detected from the content.
  if (isGenericType(bare) && verifiesContent(service, bucket)) return;
  if (!allowsType(bucket, bare)) throw wrongType(bare);
}

/**
 * Writes a file to the blob store. The caller then writes its row, or calls `service.unused.discard`.
 * @param source destroyed when the file is rejected
 * @param type as declared
 * @throws StorageError, or the source's error, after which nothing remains
 */
export async function storeBlob(
  service: Service,
  bucket: Bucket,
  source: Readable,
  type: string,
): Promise<StoredBlob> {
  const version = crypto.randomUUID();
  const meter = new UploadMeter(sizeLimitOf(service, bucket));
  // Either may fail at any time: an error without a listener would crash the process.
  meter.on('error', () => source.destroy());
  source.on('error', (error) => meter.destroy(error));
  try {
    checkDeclared(service, bucket, type, undefined);
    await service.unused.register(version);
    if (source.destroyed) throw source.errored ?? incomplete();
    source.pipe(meter);
    await service.blobs.write(version, meter);
    const blob = { version, size: meter.seen, eTag: meter.eTag(), type };
    if (!verifiesContent(service, bucket)) return blob;
    const verified = await verifiedType(() => service.blobs.read(version), bareType(type));
    if (!allowsType(bucket, bareType(verified))) throw wrongType(verified);
    return { ...blob, type: isGenericType(bareType(type)) ? verified : type };
  } catch (error) {
    source.destroy();
    await service.unused.discard(version);
    throw error;
  }
}
