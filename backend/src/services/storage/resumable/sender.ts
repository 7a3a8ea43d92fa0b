import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { fetchLimits } from '../buckets/bucket.ts';
import { asCaller, asService, type Db } from '../database.ts';
import { invalidSignature } from '../errors.ts';
import { check, readKey } from '../input.ts';
import { checkMayWrite } from '../objects/object-row.ts';
import { identify, type Service } from '../service.ts';
import { formatCacheControl, readMetadata } from '../upload/receive.ts';
import { checkDeclared } from '../upload/store.ts';

/** The sender of a resumable upload, the same for all its parts: a user with a token, or the holder of a signed URL. */
export interface Sender {
  request: FastifyRequest;
  db: Db;
  sub: string | undefined;
  /** The only object that may be written with a signed URL. */
  signed: { url: string; upsert: boolean } | undefined;
  /** Identifies the sender; stored with the upload. */
  id: string;
}

const senderId = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export async function senderWithToken(service: Service, request: FastifyRequest): Promise<Sender> {
  const user = await identify(request, service.context.keys);
  const { sub } = user;
  const id = senderId('token', user.caller.role, sub ?? '');
  return {
    request,
    db: asCaller(service.context.database, user.caller),
    sub,
    signed: undefined,
    id,
  };
}

/** @throws StorageError InvalidJWT when the x-signature header is not a valid token */
export async function senderWithSignature(
  service: Service,
  request: FastifyRequest,
): Promise<Sender> {
  const token = request.headers['x-signature'];
  const text = typeof token === 'string' ? token : '';
  const { url, upsert, owner } = await service.signedUrls.checkUpload(text, undefined);
  const id = senderId('signed', url, owner ?? '');
  return {
    request,
    db: asService(service.context.database),
    sub: owner,
    signed: { url, upsert },
    id,
  };
}

/** The callbacks of @tus/server don't get our request. */
export const senders = new AsyncLocalStorage<Sender>();

export function currentSender(): Sender {
  const sender = senders.getStore();
  if (sender === undefined) throw new Error('A resumable upload has no sender.');
  return sender;
}

// The metadata of a resumable upload: the client's, and what the service adds.
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
  const bucket = await fetchLimits(service, target.bucketName);
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
    cacheControl: formatCacheControl(cacheControl),
    userMetadata: readMetadata(metadata ?? undefined),
  };
}
