import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Bucket, fetchLimits, findSizeLimit } from '../buckets/bucket.ts';
import { incomplete, invalidRequest, tooLarge } from '../errors.ts';
import { readObjectAddress, readQuery } from '../input.ts';
import type { Call, Endpoint } from '../service.ts';
import { checkDeclared, type Received, storeObject } from './store.ts';

/** POST and PUT /object/{bucket}/{key}: PUT and `x-upsert: true` replace an existing object. */
export const uploadObject: Endpoint = async (call) => {
  const { bucket: name, key } = readObjectAddress(call.request);
  const bucket = await fetchLimits(call, name);
  const replaces = call.request.method === 'PUT' || call.request.headers['x-upsert'] === 'true';
  const object = { key, sub: call.sub, replaces };
  const id = await storeObject(call, call.db, bucket, object, declaredLength(call.request), () =>
    receive(call, bucket),
  );
  return { Key: `${bucket.id}/${key}`, Id: id };
};

/** PUT /object/upload/sign/{bucket}/{key}?token=…: the right was checked when the URL was signed. */
export const uploadSigned: Endpoint = async (call) => {
  const { bucket: name, key } = readObjectAddress(call.request);
  const token = readQuery(call.request).token ?? '';
  const claims = await call.signedUrls.checkUpload(token, `${name}/${key}`);
  const bucket = await fetchLimits(call, name);
  const object = { key, sub: claims.owner, replaces: claims.upsert };
  await storeObject(call, call.db, bucket, object, declaredLength(call.request), () =>
    receive(call, bucket),
  );
  return { Key: `${bucket.id}/${key}` };
};

/** Time without a byte after which the client is considered disconnected. */
const IDLE_MS = 60_000;

/**
 * @param isComplete whether the source has ended, and not just closed
 * @returns a separate stream, which fails when the source is incomplete
 */
function separate(source: Readable, isComplete: () => boolean): PassThrough {
  const stream = new PassThrough({ highWaterMark: 256 * 1024 });
  // It may fail before it is read; the reader checks `errored`.
  stream.on('error', () => {});
  const fail = (): void => {
    if (!isComplete()) stream.destroy(incomplete());
  };
  source.once('close', fail);
  source.once('error', fail);
  stream.once('close', () => source.unpipe(stream));
  // A short form may have ended already.
  if (source.destroyed) fail();
  return source.pipe(stream);
}

/** @returns the body as a separate stream: destroying it does not close the connection before the response */
export function openBody(raw: IncomingMessage): Readable {
  raw.setTimeout(IDLE_MS, () => {
    if (!raw.complete) raw.socket.destroy();
  });
  return separate(raw, () => raw.complete).once('close', () => raw.setTimeout(0));
}

/** @returns the Content-Length in bytes, if given */
export function declaredLength(request: FastifyRequest): number | undefined {
  const header = request.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}

/** Maximum bytes of a form besides its file. */
const OVERHEAD = 2 * 1024 * 1024;

/** Errors of the parser are caused by the client. */
function throwFormError(error: unknown): never {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  throw status === undefined ? incomplete() : error;
}

/**
 * Receives the file of a form. The fields `cacheControl` (seconds) and `metadata` (JSON) may precede or follow it.
 * @throws StorageError when there is no file, or it is not allowed
 */
export async function receiveForm(call: Call, bucket: Bucket): Promise<Received> {
  const limit = findSizeLimit(call, bucket);
  if ((declaredLength(call.request) ?? 0) > limit + OVERHEAD) throw tooLarge();
  const parts = call.request.parts({
    limits: { fileSize: limit + OVERHEAD, files: 1, fields: 20, fieldSize: OVERHEAD / 2 },
  });
  const fields = new Map<string, string>();
  /** Reads up to the next file, and stores the fields before it. */
  const nextFile = async (): Promise<MultipartFile | undefined> => {
    for (;;) {
      const { value: part, done } = await parts.next().catch(throwFormError);
      if (done) return undefined;
      if (part.type === 'file') return part;
      if (typeof part.value === 'string') fields.set(part.fieldname, part.value);
    }
  };
  const file = await nextFile();
  if (file === undefined) throw invalidRequest('The form has no file');
  checkDeclared(call, bucket, file.mimetype, undefined);
  return {
    source: separate(file.file, () => file.file.readableEnded),
    type: file.mimetype,
    details: async () => {
      const another = await nextFile();
      another?.file.resume();
      if (another !== undefined) throw invalidRequest('The form has more than one file');
      return {
        cacheControl: formatCacheControl(fields.get('cacheControl')),
        userMetadata: readMetadata(fields.get('metadata')),
      };
    },
  };
}

const DEFAULT_TYPE = 'application/octet-stream';
const NO_CACHE = 'no-cache';

/**
 * Receives the file of a request: its body, or the file of a form.
 * @throws StorageError when the headers already show that it is not allowed
 */
export async function receive(call: Call, bucket: Bucket): Promise<Received> {
  if (call.request.isMultipart()) return receiveForm(call, bucket);
  const type = call.request.headers['content-type'] ?? DEFAULT_TYPE;
  checkDeclared(call, bucket, type, declaredLength(call.request));
  const userMetadata = metadataHeader(call.request);
  const cacheControl = call.request.headers['cache-control'] ?? NO_CACHE;
  return {
    source: openBody(call.request.raw),
    type,
    details: async () => ({ cacheControl, userMetadata }),
  };
}

const Metadata = z.record(z.string(), z.unknown());
const MAX_METADATA = 1024 * 1024;

/** @param text JSON @throws StorageError InvalidRequest */
export function readMetadata(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined || text === '') return null;
  try {
    if (text.length > MAX_METADATA || /\\u0000|\0/.test(text)) throw new SyntaxError();
    return Metadata.parse(JSON.parse(text));
  } catch {
    throw invalidRequest('metadata must be a JSON object');
  }
}

const SECONDS = /^\d{1,10}$/;

/** @param value a number of seconds, or a Cache-Control header */
export function formatCacheControl(value: string | null | undefined): string {
  return SECONDS.test(value ?? '') ? `max-age=${value}` : value || 'no-cache';
}

/** Reads the x-metadata header: JSON in base64. */
export function metadataHeader(request: FastifyRequest): Record<string, unknown> | null {
  const header = request.headers['x-metadata'];
  return typeof header === 'string'
    ? readMetadata(Buffer.from(header, 'base64').toString('utf8'))
    : null;
}
