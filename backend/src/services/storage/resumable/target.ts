// The metadata of a resumable upload: the client's, and what the service adds.
import { z } from 'zod';
import { limitsOf } from '../buckets/bucket.ts';
import { invalidSignature } from '../errors/catalogue.ts';
import { readKey } from '../input/names.ts';
import { check } from '../input/parse.ts';
import { checkMayWrite } from '../objects/object-row.ts';
import type { Service } from '../service.ts';
import { cacheControlOf, readMetadata } from '../upload/metadata.ts';
import { checkDeclared } from '../upload/store-blob.ts';
import type { Sender } from './sender.ts';

const Metadata = z.object({
  bucketName: z.string(),
  objectName: z.string(),
  contentType: z.string().nullish(),
  cacheControl: z.string().nullish(),
  metadata: z.string().nullish(),
});
export type Target = z.infer<typeof Metadata>;

/** Stored with an upload; the last two are the service's own. */
export const StoredMetadata = Metadata.extend({
  sb_sender: z.string(),
  sb_upsert: z.enum(['true', 'false']),
});

/**
 * Checks whether the upload would be allowed now.
 * @param length declared bytes; undefined if sent later
 * @returns the metadata to store
 * @throws StorageError, pg's DatabaseError
 */
export async function admit(
  service: Service,
  sender: Sender,
  metadata: Record<string, string | null> | undefined,
  length: number | undefined,
): Promise<Record<string, string>> {
  const target = check(Metadata, metadata ?? {});
  const key = readKey(target.objectName);
  const url = `${target.bucketName}/${key}`;
  if (sender.signed !== undefined && sender.signed.url !== url) throw invalidSignature();
  const replaces = sender.signed?.upsert ?? sender.request.headers['x-upsert'] === 'true';
  const bucket = await limitsOf(service, target.bucketName);
  checkDeclared(service, bucket, typeOf(target), length);
  const { cacheControl, userMetadata } = detailsOf(target);
  const object = { bucket: bucket.id, key, sub: sender.sub, replaces, cacheControl, userMetadata };
  await checkMayWrite(sender.db, object, length ?? 0);
  const given = Object.entries(target).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(given),
    sb_sender: sender.id,
    sb_upsert: String(replaces),
  };
}

export const typeOf = ({ contentType }: Target): string =>
  contentType || 'application/octet-stream';

export function detailsOf({ cacheControl, metadata }: Target): {
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
} {
  return {
    cacheControl: cacheControlOf(cacheControl),
    userMetadata: readMetadata(metadata ?? undefined),
  };
}
