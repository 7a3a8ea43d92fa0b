// Puts the row of a received file in place: as a new object, or over the one that has its name.
import type { Db } from '../database.ts';
import type { Kept } from '../upload/keep.ts';
import { ownerOf } from './owner.ts';

export interface NewObject {
  bucket: string;
  key: string;
  /** Subject of the token. */
  sub: string | undefined;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
  /** Whether an object of this name is replaced. */
  replaces: boolean;
}

/** What a right is asked about before a file is received: the row as it will be, without what only the file tells. */
const NOT_YET: Kept = { version: '', size: 0, eTag: '', type: '' };

const INSERT = `insert into storage.objects
  (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const REPLACE = `${INSERT} on conflict (bucket_id, name) do update set
  owner = excluded.owner, owner_id = excluded.owner_id, version = excluded.version,
  metadata = excluded.metadata, user_metadata = excluded.user_metadata`;

function statement(
  object: NewObject,
  kept: Kept,
  id: string,
): [text: string, values: (string | null)[]] {
  const { size, eTag, type } = kept;
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
      kept.version,
      JSON.stringify(metadata),
      object.userMetadata === null ? null : JSON.stringify(object.userMetadata),
    ],
  ];
}

/**
 * @returns the object's id, which replacing keeps
 * @throws pg's DatabaseError: 42501 where no policy allows it, 23505 where the name is taken
 */
export async function writeRow(db: Db, object: NewObject, kept: Kept): Promise<string> {
  const id = crypto.randomUUID();
  await db.write(...statement(object, kept, id));
  return id;
}

/**
 * Asks whether `writeRow` would be allowed, and leaves everything as it was.
 * @param size declared bytes, 0 where they are not known
 * @throws as `writeRow`
 */
export function mayWrite(db: Db, object: NewObject, size: number): Promise<void> {
  const kept = { ...NOT_YET, version: crypto.randomUUID(), size };
  return db.try(...statement(object, kept, crypto.randomUUID()));
}
