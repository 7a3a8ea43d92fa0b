// `app_metadata.provider` and `providers`: the first provider of an account, and all of them.
import type { Db } from '../database.ts';

export async function nameProviders(db: Db, userId: string): Promise<void> {
  await db.query(
    `update auth.users u set updated_at = now(), raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}')
       || (select jsonb_build_object('provider', (array_agg(i.provider order by i.created_at, i.id))[1],
            'providers', jsonb_agg(distinct i.provider)) from auth.identities i where i.user_id = u.id)
     where u.id = $1`,
    [userId],
  );
}
