import { createHash } from 'node:crypto';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { z } from 'zod';
import { allowsType, type Bucket, findSizeLimit } from '../buckets/bucket.ts';
import { isGenericType, verifiedType } from '../content-type.ts';
import type { Db } from '../database.ts';
import { incomplete, tooLarge, wrongType } from '../errors.ts';
import { checkMayWrite, type NewObject, type StoredBlob, writeRow } from '../objects/object-row.ts';
import type { Service } from '../service.ts';

const ID = 'select to_jsonb(o.id) from storage.objects o where o.bucket_id = $1 and o.name = $2';

export interface Received {
  source: Readable;
  /** As declared, including parameters. */
  type: string;
  /** Called when the file was received, because form fields may follow it. */
  details(): Promise<Pick<NewObject, 'cacheControl' | 'userMetadata'>>;
}

type Target = Pick<NewObject, 'key' | 'sub' | 'replaces'>;

/**
 * Checks the right to write, receives the file and writes its row. Nothing remains of a rejected upload.
 * @param db of the caller, or of the service for a signed URL
 * @param length declared bytes of the file, if known
 * @param receive called when the right was checked
 * @returns the object's id
 * @throws StorageError, pg's DatabaseError
 */
export async function storeObject(
  service: Service,
  db: Db,
  bucket: Bucket,
  object: Target,
  length: number | undefined,
  receive: () => Promise<Received>,
): Promise<string> {
  // Only the disk store uses local disk space.
  const release = service.blobs.isExclusive ? await service.space.claim(length ?? 0) : undefined;
  try {
    return await store(service, db, bucket, object, length, receive);
  } finally {
    release?.();
  }
}

async function store(
  service: Service,
  db: Db,
  bucket: Bucket,
  object: Target,
  length: number | undefined,
  receive: () => Promise<Received>,
): Promise<string> {
  const target = { ...object, bucket: bucket.id };
  await checkMayWrite(db, { ...target, cacheControl: '', userMetadata: null }, length ?? 0);
  const received = await receive();
  const blob = await storeBlob(service, bucket, received.source, received.type);
  try {
    const id = await writeRow(db, { ...target, ...(await received.details()) }, blob);
    if (!object.replaces) return id;
    service.unused.collect();
    // A replaced object keeps its id, which callers who may only write can't read.
    const [existing] = await db.rows(z.string(), ID, [bucket.id, object.key]);
    return existing ?? id;
  } catch (error) {
    await service.unused.discard(blob.version);
    throw error;
  }
}

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
  if ((length ?? 0) > findSizeLimit(service, bucket)) throw tooLarge();
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
  const meter = new UploadMeter(findSizeLimit(service, bucket));
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
