import { z } from 'zod';
import type { Db } from '../database.ts';
import { noSuchKey } from '../errors/catalogue.ts';

const time = z
  .string()
  .nullable()
  .transform((text) => new Date(text ?? 0).toISOString());

/** As in S3; rows written by other programs may lack some keys. */
const Metadata = z.object({
  eTag: z.string().default('""'),
  size: z.number().default(0),
  mimetype: z.string().default('application/octet-stream'),
  cacheControl: z.string().default('no-cache'),
  lastModified: z.string().optional(),
  contentLength: z.number().optional(),
  httpStatusCode: z.number().optional(),
});

export const ObjectRow = z.object({
  id: z.string(),
  bucket_id: z.string(),
  name: z.string(),
  owner: z.string().nullable(),
  owner_id: z.string().nullable(),
  version: z.string().nullable(),
  metadata: Metadata.nullable().transform((value) => value ?? Metadata.parse({})),
  user_metadata: z.record(z.string(), z.unknown()).nullable(),
  created_at: time,
  updated_at: time,
  last_accessed_at: time,
});
export type ObjectRow = z.infer<typeof ObjectRow>;

const ONE = `select to_jsonb(o) - 'path_tokens' from storage.objects o where o.bucket_id = $1 and o.name = $2`;

/** @throws StorageError NoSuchKey when it does not exist or `db` may not see it */
export async function findObject(db: Db, bucket: string, key: string): Promise<ObjectRow> {
  const [row] = bucket.includes('\0') ? [] : await db.rows(ObjectRow, ONE, [bucket, key]);
  if (row === undefined) throw noSuchKey();
  return row;
}
