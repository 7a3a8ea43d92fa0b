import type { Db } from '../database.ts';
import type { StoredBlob } from '../upload/keep.ts';
import { ownerOf } from './owner.ts';

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
      ...ownerOf(object.sub),
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
