// Names of buckets and keys of objects (PROTOCOL.md 4.2 and 4.3), and where they stand in an address.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidBucketName, invalidKey } from '../errors/catalogue.ts';

const BUCKET = /^[\w!.*'() &$=@;:+,?-]{1,100}$/;
const KEY = /^[\w/!.*'() &$=@;:+,?-]+$/;
const MAX_KEY_BYTES = 1024;
/** Characters of a wrong key that are said back. */
const SHOWN = 100;

export function isKey(key: string): boolean {
  return (
    key.length <= MAX_KEY_BYTES &&
    KEY.test(key) &&
    !key.startsWith('/') &&
    key.split('/').every((part) => part !== '.' && part !== '..')
  );
}

/** @throws StorageError InvalidKey for other characters, more than 1,024 bytes, or parts that mean another folder */
export function readKey(key: string): string {
  if (!isKey(key)) throw invalidKey(key.slice(0, SHOWN).replace(/[^\x20-\x7e]/g, '?'));
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
