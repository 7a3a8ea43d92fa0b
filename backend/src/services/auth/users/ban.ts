// Bans an account: refused by this service from the next call on, and by policies that check it.
import type { Db } from '../database.ts';

/** @param seconds 0 lifts the ban */
export async function setBan(db: Db, id: string, seconds: number): Promise<void> {
  await db.query(
    `update auth.users set updated_at = now(),
       banned_until = case when $2::float > 0 then now() + make_interval(secs => $2::float) end
     where id = $1`,
    [id, seconds],
  );
}
