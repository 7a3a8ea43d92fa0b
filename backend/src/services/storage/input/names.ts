// Bucket names and object keys, with the characters that Supabase Storage allows.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidBucketName, invalidKey } from '../errors/catalogue.ts';

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
export function addressOf(request: FastifyRequest): { bucket: string; key: string } {
  const { bucket, '*': key } = Address.parse(request.params);
  return { bucket, key: readKey(key) };
}

/** @returns the bucket of a request whose path ends in `/:bucket` */
export function bucketNameOf(request: FastifyRequest): string {
  return Address.parse(request.params).bucket;
}
