import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Bucket } from '../buckets/bucket.ts';
import type { Db } from '../database.ts';
import { checkMayWrite, type NewObject, writeRow } from '../objects/object-row.ts';
import type { Service } from '../service.ts';
import { storeBlob } from './store-blob.ts';

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
