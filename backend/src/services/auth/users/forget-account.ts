// Soft deletion: the row stays for references, personal data is erased.
import type { Db } from '../database.ts';

/** Replaces addresses by hashes, as GoTrue does, and removes metadata, identity data, factors and sessions. */
export async function forgetAccount(db: Db, id: string): Promise<void> {
  await db.query(
    `update auth.users set deleted_at = now(), updated_at = now(),
       email = encode(sha256(convert_to(id::text || coalesce(email, ''), 'UTF8')), 'hex'),
       phone = case when phone is null then null
         else left(encode(sha256(convert_to(id::text || phone, 'UTF8')), 'hex'), 15) end,
       encrypted_password = '', email_change = '', phone_change = '',
       raw_user_meta_data = '{}', raw_app_meta_data = '{}'
     where id = $1 and deleted_at is null`,
    [id],
  );
  await db.query(
    `update auth.identities set identity_data = '{}', updated_at = now(),
       provider_id = encode(sha256(convert_to(id::text || provider_id, 'UTF8')), 'hex')
     where user_id = $1`,
    [id],
  );
  await db.query(
    `with sessions as (delete from auth.sessions where user_id = $1),
       factors as (delete from auth.mfa_factors where user_id = $1),
       devices as (delete from auth.seen_devices where user_id = $1),
       passkeys as (delete from auth.webauthn_credentials where user_id = $1)
     delete from auth.one_time_tokens where user_id = $1`,
    [id],
  );
}
