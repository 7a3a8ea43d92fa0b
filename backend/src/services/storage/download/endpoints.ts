// The three kinds of access to an object: as the caller, in a public bucket, by a signed URL.
import type { FastifyReply } from 'fastify';
import { BlobMissing } from '../blobs/blob-store.ts';
import { fetchLimits } from '../buckets/bucket.ts';
import { invalidSignature, noSuchBucket, noSuchKey } from '../errors.ts';
import { readObjectAddress, readQuery } from '../input.ts';
import { findObject, type ObjectRow } from '../objects/object-row.ts';
import type { Call, Endpoint } from '../service.ts';
import { fileHeaders, isUnchanged, parseRange, securityHeaders } from './headers.ts';

/** @throws StorageError NoSuchKey also when no policy lets the caller read it */
export async function findAsCaller(call: Call): Promise<ObjectRow> {
  const { bucket, key } = readObjectAddress(call.request);
  return findObject(call.db, bucket, key);
}

/** @throws StorageError NoSuchBucket also for a bucket that is not public */
export async function findInPublic(call: Call): Promise<ObjectRow> {
  const { bucket, key } = readObjectAddress(call.request);
  const { public: isPublic } = await fetchLimits(call, bucket);
  if (!isPublic) throw noSuchBucket();
  return findObject(call.db, bucket, key);
}

export interface Signed {
  find: () => Promise<ObjectRow>;
  /** Seconds since 1970. */
  expires: number;
  /** From the token; empty for the original. */
  transformations: string;
  /** Account that signed it, if it had one. */
  owner: string | undefined;
}

/** @throws StorageError InvalidJWT, InvalidSignature */
export async function findSigned(call: Call): Promise<Signed> {
  const { bucket, key } = readObjectAddress(call.request);
  const token = readQuery(call.request).token;
  const claims = await call.signedUrls.checkDownload(token ?? '', `${bucket}/${key}`);
  return {
    find: () => findObject(call.db, bucket, key),
    expires: claims.exp,
    transformations: claims.transformations ?? '',
    owner: claims.owner,
  };
}

async function sendFile(
  call: Call,
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
    ...securityHeaders(metadata.mimetype, readQuery(call.request).download),
  };
  if (isUnchanged(call.request.headers, validators))
    return call.reply.headers(headers).code(304).send();
  const { size } = metadata;
  const part = parseRange(call.request.headers, size, validators);
  // Before the first byte: afterwards the response could only be cut off.
  const body =
    call.request.method === 'HEAD'
      ? await call.blobs.check(version ?? '', size)
      : await call.blobs.read(version ?? '', { size, range: part });
  call.reply.headers(headers);
  if (part === undefined) call.reply.header('content-length', size);
  else {
    const { first, last } = part;
    call.reply
      .code(206)
      .header('content-range', `bytes ${first}-${last}/${size}`)
      .header('content-length', last - first + 1);
  }
  return call.reply.send(body);
}

/**
 * @param find reads the row; called again when its file was replaced in the meantime
 * @param expires of a signed URL, seconds since 1970
 * @throws StorageError NoSuchKey when the file is lost
 */
export async function sendObject(
  call: Call,
  find: () => Promise<ObjectRow>,
  expires?: number,
): Promise<FastifyReply> {
  for (let isRetry = false; ; isRetry = true) {
    const row = await find();
    try {
      return await sendFile(call, row, expires);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      if (!isRetry) continue;
      call.request.log.error({ err: error, object: row.name }, 'the blob of an object is missing');
      throw noSuchKey();
    }
  }
}

/** GET and HEAD /object/… */
export const download: Endpoint = (call) => sendObject(call, () => findAsCaller(call));

export const downloadPublic: Endpoint = (call) => sendObject(call, () => findInPublic(call));

export const downloadSigned: Endpoint = async (call) => {
  const { find, expires, transformations } = await findSigned(call);
  // The URL was signed for a transformed image, not for the original.
  if (transformations !== '') throw invalidSignature();
  return sendObject(call, find, expires);
};

function infoJson({ metadata, ...row }: ObjectRow): object {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    bucket_id: row.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: row.user_metadata ?? {},
    last_modified: metadata.lastModified ?? row.updated_at,
    created_at: row.created_at,
  };
}

async function sendInfo({ blobs, request, reply }: Call, row: ObjectRow): Promise<object> {
  if (request.method !== 'HEAD') return infoJson(row);
  await blobs.check(row.version ?? '', row.metadata.size);
  return reply
    .headers(fileHeaders(row, undefined))
    .header('content-length', row.metadata.size)
    .send();
}

/** GET /object/info/…; HEAD returns the headers of the file itself. */
export const info: Endpoint = async (call) => sendInfo(call, await findAsCaller(call));

export const infoPublic: Endpoint = async (call) => sendInfo(call, await findInPublic(call));
