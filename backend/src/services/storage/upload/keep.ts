// Receives a file into the blob store: measured, limited, and checked where its bucket wants it. Whole or not at all.
import type { Readable } from 'node:stream';
import { allowsType, type Bucket, sizeLimitOf } from '../buckets/bucket.ts';
import { verifiedType } from '../content/verified-type.ts';
import { incomplete, tooLarge, wrongType } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { Examine } from './examine.ts';

export interface Kept {
  /** Id of the blob. */
  version: string;
  /** Bytes. */
  size: number;
  /** Quoted. */
  eTag: string;
  type: string;
}

const SAYS_NOTHING = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** @returns the type without parameters, in lower case */
export const bareType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

export function verifies(service: Service, bucket: Bucket): boolean {
  return service.context.settings.storage.buckets[bucket.id]?.verify_content ?? false;
}

/**
 * What can be refused before a byte has come.
 * @param length declared bytes, if any
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
  // Its content will tell, where it is looked at.
  if (SAYS_NOTHING.has(bare) && verifies(service, bucket)) return;
  if (!allowsType(bucket, bare)) throw wrongType(bare);
}

/**
 * The caller puts a row in place for what is returned, or calls `service.unused.discard`.
 * @param source destroyed when the file is refused
 * @param type as declared
 * @throws StorageError, or the source's error; nothing stays then
 */
export async function keep(
  service: Service,
  bucket: Bucket,
  source: Readable,
  type: string,
): Promise<Kept> {
  const version = crypto.randomUUID();
  const examine = new Examine(sizeLimitOf(service, bucket));
  // Either may fail while nobody waits for it: an error without a listener would end the process.
  examine.on('error', () => source.destroy());
  source.on('error', (error) => examine.destroy(error));
  try {
    checkDeclared(service, bucket, type, undefined);
    await service.unused.announce(version);
    if (source.destroyed) throw source.errored ?? incomplete();
    source.pipe(examine);
    await service.blobs.write(version, examine);
    const kept = { version, size: examine.seen, eTag: examine.eTag(), type };
    if (!verifies(service, bucket)) return kept;
    const found = await verifiedType(() => service.blobs.read(version), bareType(type));
    if (!allowsType(bucket, bareType(found))) throw wrongType(found);
    return { ...kept, type: SAYS_NOTHING.has(bareType(type)) ? found : type };
  } catch (error) {
    source.destroy();
    await service.unused.discard(version);
    throw error;
  }
}
