// Changes of an account's row.
import type { Db } from '../database.ts';

/** Merges shallowly; a key with null is removed. */
export async function mergeUserMetadata(
  db: Db,
  id: string,
  data: Record<string, unknown>,
): Promise<void> {
  const removed = Object.keys(data).filter((key) => data[key] === null);
  await db.query(
    `update auth.users
     set raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[], updated_at = now()
     where id = $1`,
    [id, JSON.stringify(data), removed],
  );
}

export async function setPassword(db: Db, id: string, hash: string): Promise<void> {
  await db.query(
    'update auth.users set encrypted_password = $2, updated_at = now() where id = $1',
    [id, hash],
  );
}
