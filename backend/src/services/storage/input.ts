// Reads JSON bodies of any content type, with error messages like those of Fastify's JSON schema validation.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidBucketName, invalidKey, invalidRequest } from './errors.ts';

/** Enough for a thousand of the longest keys. */
const MAX_BYTES = 2 * 1024 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

async function bytesOf(request: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A destroyed request can't be answered.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BYTES) throw invalidRequest('Request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function formatIssue({ path, code, message, ...issue }: z.core.$ZodIssue): string {
  const at = path.slice(0, -1).map((part) => `/${String(part)}`);
  if (code === 'invalid_type' && issue.input === undefined && path.length > 0) {
    return `body${at.join('')} must have required property '${String(path.at(-1))}'`;
  }
  return `body${path.map((part) => `/${String(part)}`).join('')} ${message}`;
}

/** An empty body is read as an empty object. @throws StorageError InvalidRequest */
export async function readJson<T extends z.ZodType>(
  request: FastifyRequest,
  schema: T,
): Promise<z.output<T>> {
  const bytes = await bytesOf(request);
  let parsed: unknown = {};
  try {
    if (bytes.length > 0) parsed = JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalidRequest('Body is not valid JSON');
  }
  return check(schema, parsed);
}

/** @throws StorageError InvalidRequest */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidRequest(issue === undefined ? 'body is not valid' : formatIssue(issue));
}

const Query = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform((all) => all[0])]),
);

/** @returns query parameters; the first value of a repeated one */
export function readQuery(request: FastifyRequest): Record<string, string | undefined> {
  return Query.parse(request.query);
}

// Bucket names and object keys, with the characters that Supabase Storage allows.
const BUCKET = /^[\w!.*'() &$=@;:+,?-]{1,100}$/;
const KEY = /^[\w/!.*'() &$=@;:+,?-]+$/;
const MAX_KEY_BYTES = 1024;
/** Characters of an invalid key in the error message. */
const MAX_SHOWN = 100;

export function isKey(key: string): boolean {
  return (
    key.length <= MAX_KEY_BYTES &&
    KEY.test(key) &&
    !key.startsWith('/') &&
    key.split('/').every((part) => part !== '.' && part !== '..')
  );
}

/** @throws StorageError InvalidKey for other characters, more than 1,024 bytes, or `.` and `..` segments */
export function readKey(key: string): string {
  if (!isKey(key)) throw invalidKey(key.slice(0, MAX_SHOWN).replace(/[^\x20-\x7e]/g, '?'));
  return key;
}

/** @throws StorageError InvalidBucketName */
export function readBucketName(name: string): string {
  if (!BUCKET.test(name) || name.trim() !== name) throw invalidBucketName();
  return name;
}

const Address = z.object({ bucket: z.string(), '*': z.string().default('') });

/** @returns bucket and key of a request whose path ends in `/:bucket/*` */
export function readObjectAddress(request: FastifyRequest): { bucket: string; key: string } {
  const { bucket, '*': key } = Address.parse(request.params);
  return { bucket, key: readKey(key) };
}

/** @returns the bucket of a request whose path ends in `/:bucket` */
export function bucketNameOf(request: FastifyRequest): string {
  return Address.parse(request.params).bucket;
}
