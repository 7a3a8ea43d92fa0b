// One upload from right to row: may it be written, receive the file, write the row; nothing stays of what is refused.
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Bucket } from '../buckets/bucket.ts';
import type { Db } from '../database.ts';
import { mayWrite, type NewObject, writeRow } from '../objects/write-row.ts';
import type { Service } from '../service.ts';
import { keep } from './keep.ts';

const ID = 'select to_jsonb(o.id) from storage.objects o where o.bucket_id = $1 and o.name = $2';

export interface Received {
  source: Readable;
  /** As declared, parameters included. */
  type: string;
  /** Asked when the file has come: a form's fields may follow it. */
  details(): Promise<Pick<NewObject, 'cacheControl' | 'userMetadata'>>;
}

type Target = Pick<NewObject, 'key' | 'sub' | 'replaces'>;

/**
 * @param db who writes: the caller, or the service for an address that we signed
 * @param length declared bytes of the file, as far as they are known
 * @param receive hands over the file; called once the right is known
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
  // A store elsewhere needs no room here.
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
  await mayWrite(db, { ...target, cacheControl: '', userMetadata: null }, length ?? 0);
  const received = await receive();
  const kept = await keep(service, bucket, received.source, received.type);
  try {
    const id = await writeRow(db, { ...target, ...(await received.details()) }, kept);
    if (!object.replaces) return id;
    service.unused.collect();
    // Replacing keeps the id of the object that was there; whoever may only write can't read it.
    const [there] = await db.rows(z.string(), ID, [bucket.id, object.key]);
    return there ?? id;
  } catch (error) {
    await service.unused.discard(kept.version);
    throw error;
  }
}
