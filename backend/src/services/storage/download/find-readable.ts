// The three kinds of access to an object: as the caller, in a public bucket, by a signed URL.
import type { FastifyRequest } from 'fastify';
import { limitsOf } from '../buckets/bucket.ts';
import { asCaller, asService } from '../database.ts';
import { noSuchBucket } from '../errors/catalogue.ts';
import type { User } from '../identity.ts';
import { addressOf } from '../input/names.ts';
import { queryOf } from '../input/parse.ts';
import { findObject, type ObjectRow } from '../objects/object-row.ts';
import type { Service } from '../service.ts';

/** @throws StorageError NoSuchKey also when no policy lets the caller read it */
export async function findAsCaller(
  service: Service,
  request: FastifyRequest,
  user: User,
): Promise<ObjectRow> {
  const { bucket, key } = addressOf(request);
  return findObject(asCaller(service, user), bucket, key);
}

/** @throws StorageError NoSuchBucket also for a bucket that is not public */
export async function findInPublic(service: Service, request: FastifyRequest): Promise<ObjectRow> {
  const { bucket, key } = addressOf(request);
  const { public: isPublic } = await limitsOf(service, bucket);
  if (!isPublic) throw noSuchBucket();
  return findObject(asService(service), bucket, key);
}

export interface Signed {
  find: () => Promise<ObjectRow>;
  /** Seconds since 1970. */
  expires: number;
  /** From the token; empty for the original. */
  transformations: string;
}

/** @throws StorageError InvalidJWT, InvalidSignature */
export async function findSigned(service: Service, request: FastifyRequest): Promise<Signed> {
  const { bucket, key } = addressOf(request);
  const token = queryOf(request).token;
  const claims = await service.signedUrls.checkDownload(token ?? '', `${bucket}/${key}`);
  return {
    find: () => findObject(asService(service), bucket, key),
    expires: claims.exp,
    transformations: claims.transformations ?? '',
  };
}
