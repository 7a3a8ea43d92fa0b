// Where a resumable upload goes: the metadata that its client sent, checked, and what the service adds to it.
import { z } from 'zod';
import { limitsOf } from '../buckets/bucket.ts';
import { invalidSignature } from '../errors/catalogue.ts';
import { check } from '../input/json.ts';
import { readKey } from '../input/names.ts';
import { mayWrite } from '../objects/write-row.ts';
import type { Service } from '../service.ts';
import { checkDeclared } from '../upload/keep.ts';
import { readMetadata } from '../upload/metadata.ts';
import type { Sender } from './sender.ts';

const SECONDS = /^\d{1,10}$/;

const Metadata = z.object({
  bucketName: z.string(),
  objectName: z.string(),
  contentType: z.string().nullish(),
  cacheControl: z.string().nullish(),
  metadata: z.string().nullish(),
});
export type Target = z.infer<typeof Metadata>;

/** What is kept with an upload; the last two are the service's own. */
export const Kept = Metadata.extend({
  sb_sender: z.string(),
  sb_upsert: z.enum(['true', 'false']),
});

/**
 * @param length declared bytes, undefined where they will be told later
 * @returns the metadata to keep
 * @throws StorageError, pg's DatabaseError when the upload could not be made now
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
  await mayWrite(sender.db, object, length ?? 0);
  const given = Object.entries(target).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(given),
    sb_sender: sender.mark,
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
    cacheControl: SECONDS.test(cacheControl ?? '')
      ? `max-age=${cacheControl}`
      : cacheControl || 'no-cache',
    userMetadata: readMetadata(metadata ?? undefined),
  };
}
