import type { Pool } from 'pg';
import { z } from 'zod';
import type { StorageSettings } from '../../../settings/storage.ts';
import { StartError } from '../../../start-error.ts';
import { asService, type Db } from '../database.ts';
import { noSuchBucket, StorageError } from '../errors.ts';
import { readBucketName } from '../input.ts';
import type { Service } from '../service.ts';

const time = z.string().transform((text) => new Date(text).toISOString());

export const Bucket = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string().nullable(),
  owner_id: z.string().nullable(),
  public: z.boolean(),
  type: z.string(),
  file_size_limit: z.number().nullable(),
  allowed_mime_types: z.array(z.string()).nullable(),
  created_at: time,
  updated_at: time,
});
export type Bucket = z.infer<typeof Bucket>;

/** @returns the API's representation, with keys in the order of a Supabase project */
export function bucketJson(bucket: Bucket): object {
  return {
    id: bucket.id,
    name: bucket.name,
    // Rows written by SQL may have either.
    owner: bucket.owner_id ?? bucket.owner ?? '',
    public: bucket.public,
    file_size_limit: bucket.file_size_limit,
    allowed_mime_types: bucket.allowed_mime_types,
    created_at: bucket.created_at,
    updated_at: bucket.updated_at,
  };
}

const ONE = 'select to_jsonb(b) from storage.buckets b where b.id = $1';

/** @throws StorageError NoSuchBucket when it does not exist or `db` may not see it */
export async function findBucket(db: Db, id: string): Promise<Bucket> {
  const [bucket] = id.includes('\0') ? [] : await db.rows(Bucket, ONE, [id]);
  if (bucket === undefined) throw noSuchBucket();
  return bucket;
}

/** Bypasses row-level security: a bucket's limits apply even to callers who can't read it. */
export function fetchLimits(service: Service, id: string): Promise<Bucket> {
  return findBucket(asService(service.context.database), id);
}

/** @returns the maximum size of an object in bytes */
export function findSizeLimit(service: Service, bucket: Bucket): number {
  const limit = service.context.settings.storage.file_size_limit;
  return Math.min(bucket.file_size_limit ?? limit, limit);
}

/** @param type without parameters */
export function allowsType(bucket: Bucket, type: string): boolean {
  const { allowed_mime_types: allowed } = bucket;
  if (allowed === null || allowed.length === 0) return true;
  return allowed.some(
    (pattern) =>
      pattern === '*/*' ||
      pattern === type ||
      (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1))),
  );
}

/**
 * Creates the buckets of `[storage.buckets.*]`; updates existing ones where the settings give a value.
 * @throws StartError for an invalid name
 */
export async function applyConfiguredBuckets(
  pool: Pool,
  buckets: StorageSettings['buckets'],
): Promise<void> {
  for (const [name, options] of Object.entries(buckets)) {
    try {
      readBucketName(name);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw new StartError(`supabase/config.toml: "${name}" is not a valid bucket name.`);
    }
    await pool.query(
      `insert into storage.buckets as b (id, name, public, file_size_limit, allowed_mime_types)
       values ($1, $1, coalesce($2, false), $3, $4)
       on conflict (id) do update set public = coalesce($2, b.public),
         file_size_limit = coalesce($3, b.file_size_limit),
         allowed_mime_types = coalesce($4, b.allowed_mime_types)`,
      [
        name,
        options.public ?? null,
        options.file_size_limit ?? null,
        options.allowed_mime_types ?? null,
      ],
    );
  }
}
