// The three kinds of access to an object: as the caller, in a public bucket, by a signed URL.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BlobMissing } from '../blobs/blob-store.ts';
import { limitsOf } from '../buckets/bucket.ts';
import { asCaller, asService } from '../database.ts';
import { invalidSignature, noSuchBucket, noSuchKey } from '../errors.ts';
import { addressOf, queryOf } from '../input.ts';
import { findObject, type ObjectRow } from '../objects/object-row.ts';
import type { Endpoint, OpenEndpoint, Service, User } from '../service.ts';
import { fileHeaders, isUnchanged, rangeOf, securityHeaders } from './headers.ts';

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

async function sendFile(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ObjectRow,
  expires: number | undefined,
): Promise<FastifyReply> {
  const { metadata, version } = row;
  const validators = {
    etag: metadata.eTag,
    modified: Date.parse(metadata.lastModified ?? row.updated_at),
  };
  const headers = {
    ...fileHeaders(row, expires),
    ...securityHeaders(metadata.mimetype, queryOf(request).download),
  };
  if (isUnchanged(request.headers, validators)) return reply.headers(headers).code(304).send();
  const part = rangeOf(request.headers, metadata.size, validators);
  const isHead = request.method === 'HEAD';
  const body = isHead ? undefined : await service.blobs.read(version ?? '', part);
  reply.headers(headers);
  if (part === undefined) reply.header('content-length', metadata.size);
  else {
    const { first, last } = part;
    reply
      .code(206)
      .header('content-range', `bytes ${first}-${last}/${metadata.size}`)
      .header('content-length', last - first + 1);
  }
  return reply.send(body);
}

/**
 * @param find reads the row; called again when its file was replaced in the meantime
 * @param expires of a signed URL, seconds since 1970
 * @throws StorageError NoSuchKey when the file is lost
 */
export async function sendObject(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<ObjectRow>,
  expires?: number,
): Promise<FastifyReply> {
  const row = await find();
  try {
    return await sendFile(service, request, reply, row, expires);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
  }
  const again = await find();
  try {
    return await sendFile(service, request, reply, again, expires);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    request.log.error({ err: error, object: again.name }, 'the blob of an object is missing');
    throw noSuchKey();
  }
}

/** GET and HEAD /object/… */
export const download: Endpoint = (service, request, reply, user) =>
  sendObject(service, request, reply, () => findAsCaller(service, request, user));

export const downloadPublic: OpenEndpoint = (service, request, reply) =>
  sendObject(service, request, reply, () => findInPublic(service, request));

export const downloadSigned: OpenEndpoint = async (service, request, reply) => {
  const { find, expires, transformations } = await findSigned(service, request);
  // The URL was signed for a transformed image, not for the original.
  if (transformations !== '') throw invalidSignature();
  return sendObject(service, request, reply, find, expires);
};

function infoJson({
  id,
  name,
  version,
  bucket_id,
  metadata,
  user_metadata,
  ...row
}: ObjectRow): object {
  return {
    id,
    name,
    version,
    bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: user_metadata ?? {},
    last_modified: metadata.lastModified ?? row.updated_at,
    created_at: row.created_at,
  };
}

function sendInfo(request: FastifyRequest, reply: FastifyReply, row: ObjectRow): object {
  if (request.method !== 'HEAD') return infoJson(row);
  return reply
    .headers(fileHeaders(row, undefined))
    .header('content-length', row.metadata.size)
    .send();
}

/** GET /object/info/…; HEAD returns the headers of the file itself. */
export const info: Endpoint = async (service, request, reply, user) =>
  sendInfo(request, reply, await findAsCaller(service, request, user));

export const infoPublic: OpenEndpoint = async (service, request, reply) =>
  sendInfo(request, reply, await findInPublic(service, request));
