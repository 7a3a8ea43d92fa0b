import { z } from 'zod';
import type { Db } from '../database.ts';
import { noSuchKey } from '../errors.ts';

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

const Uuid = z.guid();

/** @returns the columns `owner`, a uuid or null, and `owner_id`, the token's subject */
export function toOwner(sub: string | undefined): [owner: string | null, ownerId: string | null] {
  if (sub === undefined) return [null, null];
  return [Uuid.safeParse(sub).success ? sub : null, sub];
}

export interface StoredBlob {
  /** Id of the blob. */
  version: string;
  /** Bytes. */
  size: number;
  /** Quoted. */
  eTag: string;
  type: string;
}

export interface NewObject {
  bucket: string;
  key: string;
  /** Subject of the token. */
  sub: string | undefined;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
  /** Whether to replace an existing object of this name. */
  replaces: boolean;
}

/** For checking the right to write before the file is received. */
const NOT_RECEIVED: StoredBlob = { version: '', size: 0, eTag: '', type: '' };

const INSERT = `insert into storage.objects
  (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const REPLACE = `${INSERT} on conflict (bucket_id, name) do update set
  owner = excluded.owner, owner_id = excluded.owner_id, version = excluded.version,
  metadata = excluded.metadata, user_metadata = excluded.user_metadata`;

function statement(
  object: NewObject,
  blob: StoredBlob,
  id: string,
): [text: string, values: (string | null)[]] {
  const { size, eTag, type } = blob;
  const metadata = {
    eTag,
    size,
    mimetype: type,
    cacheControl: object.cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  };
  return [
    object.replaces ? REPLACE : INSERT,
    [
      id,
      object.bucket,
      object.key,
      ...toOwner(object.sub),
      blob.version,
      JSON.stringify(metadata),
      object.userMetadata === null ? null : JSON.stringify(object.userMetadata),
    ],
  ];
}

/**
 * Inserts or replaces the row of a received file.
 * @returns the id of a new object; an existing one keeps its id
 * @throws pg's DatabaseError: 42501 where no policy allows it, 23505 where the name is taken
 */
export async function writeRow(db: Db, object: NewObject, blob: StoredBlob): Promise<string> {
  const id = crypto.randomUUID();
  await db.write(...statement(object, blob, id));
  return id;
}

/**
 * Checks whether `writeRow` would be allowed, without effect.
 * @param size declared bytes; 0 if unknown
 * @throws as `writeRow`
 */
export function checkMayWrite(db: Db, object: NewObject, size: number): Promise<void> {
  const blob = { ...NOT_RECEIVED, version: crypto.randomUUID(), size };
  return db.try(...statement(object, blob, crypto.randomUUID()));
}
