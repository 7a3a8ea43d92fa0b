import type { Db } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { takenRefusal } from './create-account.ts';
import { METADATA_LIMIT, type Metadata } from './metadata-size.ts';

// Changes of an account's row, and of the identities that repeat its data.
/** Removes keys with null, as GoTrue does. Returns the size before and after. */
const merge = (column: string): string =>
  `update auth.users u set ${column} = (coalesce(u.${column}, '{}') || $2::jsonb) - $3::text[], updated_at = now()
   from (select id, coalesce(octet_length(${column}::text), 0) as bytes from auth.users where id = $1 for update) former
   where u.id = former.id
   returning former.bytes as bytes_before, octet_length(u.${column}::text) as bytes_after`;
const MERGE_USER = merge('raw_user_meta_data');
const MERGE_APP = merge('raw_app_meta_data');

const nullKeys = (data: Metadata): string[] =>
  Object.keys(data).filter((key) => data[key] === null);

/** Metadata from before the limit may shrink or stay. @throws AuthError 422 if it grows beyond the limit */
async function mergeInto(
  db: Db,
  statement: string,
  id: string,
  data: Metadata,
  field: string,
): Promise<void> {
  const { rows } = await db.query<{ bytes_before: number; bytes_after: number }>(statement, [
    id,
    JSON.stringify(data),
    nullKeys(data),
  ]);
  const row = rows[0];
  if (row && row.bytes_after > Math.max(row.bytes_before, METADATA_LIMIT)) {
    throw refusals.metadataTooLarge(field);
  }
}

/** Merges shallowly. @throws AuthError 422 */
export async function mergeUserMetadata(db: Db, id: string, data: Metadata): Promise<void> {
  await mergeInto(db, MERGE_USER, id, data, 'user_metadata');
}

/** Merges shallowly. For administrators only: policies may rely on app_metadata. @throws AuthError 422 */
export async function mergeAppMetadata(db: Db, id: string, data: Metadata): Promise<void> {
  await mergeInto(db, MERGE_APP, id, data, 'app_metadata');
}

export async function setPassword(db: Db, id: string, hash: string): Promise<void> {
  await db.query(
    `update auth.users set encrypted_password = $2, updated_at = now() where id = $1`,
    [id, hash],
  );
}

/** Disables sign-in with a password until a new one is set. */
export async function removePassword(db: Db, id: string): Promise<void> {
  await db.query(
    `update auth.users set encrypted_password = null, updated_at = now() where id = $1`,
    [id],
  );
}

/** Marks the e-mail address as confirmed, also in the metadata that clients read. */
export async function confirmEmail(db: Db, id: string): Promise<void> {
  await db.query(
    `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}'
     where id = $1`,
    [id],
  );
  await db.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [id],
  );
}

/**
 * Replaces the e-mail address and makes it the account's e-mail identity.
 * @param email canonical
 * @throws AuthError 422 if another account has it
 */
export async function setEmail(db: Db, id: string, email: string): Promise<void> {
  try {
    await db.query(
      `update auth.users set email = $2::text, email_change = '', is_anonymous = false, updated_at = now(),
         raw_user_meta_data = case when raw_user_meta_data ? 'email'
           then raw_user_meta_data || jsonb_build_object('email', $2::text) else raw_user_meta_data end,
         raw_app_meta_data = case when raw_app_meta_data ? 'provider' then raw_app_meta_data
           else coalesce(raw_app_meta_data, '{}') || '{"provider": "email", "providers": ["email"]}' end
       where id = $1`,
      [id, email],
    );
  } catch (error) {
    throw takenRefusal(error);
  }
  await db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     values ($1::text, $1::uuid, jsonb_build_object('sub', $1::text, 'email', $2::text,
       'email_verified', false, 'phone_verified', false), 'email', now(), now())
     on conflict (provider_id, provider) do update
     set identity_data = auth.identities.identity_data || jsonb_build_object('email', $2::text), updated_at = now()`,
    [id, email],
  );
}

/** Marks the phone number as confirmed, also in the metadata that clients read. */
export async function confirmPhone(db: Db, id: string): Promise<void> {
  await db.query(
    `update auth.users set phone_confirmed_at = coalesce(phone_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"phone_verified": true}'
     where id = $1`,
    [id],
  );
  await db.query(
    `update auth.identities set identity_data = identity_data || '{"phone_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'phone'`,
    [id],
  );
}

/** @param phone E.164 digits; @throws AuthError 422 if another account has it */
export async function setPhone(
  db: Db,
  id: string,
  phone: string,
  isConfirmed: boolean,
): Promise<void> {
  try {
    await db.query(
      `update auth.users set phone = $2, phone_change = '', is_anonymous = false, updated_at = now(),
         phone_confirmed_at = case when $3::boolean then now() else phone_confirmed_at end
       where id = $1`,
      [id, phone, isConfirmed],
    );
  } catch (error) {
    throw takenRefusal(error);
  }
  await db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     values ($1::text, $1::uuid, jsonb_build_object('sub', $1::text, 'phone', $2::text,
       'email_verified', false, 'phone_verified', $3::boolean), 'phone', now(), now())
     on conflict (provider_id, provider) do update set updated_at = now(),
       identity_data = auth.identities.identity_data || jsonb_build_object('phone', $2::text, 'phone_verified', $3::boolean)`,
    [id, phone, isConfirmed],
  );
}

/** @param role database role in the account's tokens */
export async function setRole(db: Db, id: string, role: string): Promise<void> {
  await db.query('update auth.users set role = $2, updated_at = now() where id = $1', [id, role]);
}

// Bans an account: refused by this service from the next call on, and by policies that check it.
/** @param seconds 0 lifts the ban */
export async function setBan(db: Db, id: string, seconds: number): Promise<void> {
  await db.query(
    `update auth.users set updated_at = now(),
       banned_until = case when $2::float > 0 then now() + make_interval(secs => $2::float) end
     where id = $1`,
    [id, seconds],
  );
}
