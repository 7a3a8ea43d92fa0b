import { type Db, isTaken, raw, type Sql, sql } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { METADATA_LIMIT, type Metadata } from '../input/fields.ts';

// Changes of an account's row, and of the identities that repeat its data.

/**
 * Merges shallowly, and removes keys with null, as GoTrue does. Metadata from before the limit may shrink or stay.
 * @throws AuthError 422 if it grows beyond the limit
 */
async function merge(
  db: Db,
  column: Sql,
  id: string,
  data: Metadata,
  field: string,
): Promise<void> {
  const removed = Object.keys(data).filter((key) => data[key] === null);
  const { rows } = await db.query<{ bytes_before: number; bytes_after: number }>(sql`
    update auth.users u set updated_at = now(),
      ${column} = (coalesce(u.${column}, '{}') || ${JSON.stringify(data)}::jsonb) - ${removed}::text[]
    from (select id, coalesce(octet_length(${column}::text), 0) as bytes from auth.users
      where id = ${id} for update) former
    where u.id = former.id
    returning former.bytes as bytes_before, octet_length(u.${column}::text) as bytes_after`);
  const row = rows[0];
  if (row && row.bytes_after > Math.max(row.bytes_before, METADATA_LIMIT)) {
    throw errors.metadataTooLarge(field, METADATA_LIMIT);
  }
}

export const mergeUserMetadata = (db: Db, id: string, data: Metadata) =>
  merge(db, raw('raw_user_meta_data'), id, data, 'user_metadata');

/** For administrators only: policies may rely on app_metadata. */
export const mergeAppMetadata = (db: Db, id: string, data: Metadata) =>
  merge(db, raw('raw_app_meta_data'), id, data, 'app_metadata');

export const setPassword = (db: Db, id: string, hash: string) =>
  db.query(sql`
    update auth.users set encrypted_password = ${hash}, updated_at = now() where id = ${id}`);

/** Disables sign-in with a password until a new one is set. */
export const removePassword = (db: Db, id: string) =>
  db.query(sql`
    update auth.users set encrypted_password = null, updated_at = now() where id = ${id}`);

/** Marks the address as confirmed, also in the metadata that clients read. */
async function confirm(db: Db, id: string, kind: 'email' | 'phone'): Promise<void> {
  const confirmedAt = raw(`${kind}_confirmed_at`);
  const fact = JSON.stringify({ [`${kind}_verified`]: true });
  await db.query(sql`
    update auth.users set ${confirmedAt} = coalesce(${confirmedAt}, now()), updated_at = now(),
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || ${fact}::jsonb
    where id = ${id}`);
  await db.query(sql`
    update auth.identities set identity_data = identity_data || ${fact}::jsonb, updated_at = now()
    where user_id = ${id} and provider = ${kind}`);
}

export const confirmEmail = (db: Db, id: string) => confirm(db, id, 'email');
export const confirmPhone = (db: Db, id: string) => confirm(db, id, 'phone');

/**
 * Replaces the e-mail address and makes it the account's e-mail identity.
 * @param email canonical
 * @throws AuthError 422 if another account has it
 */
export async function setEmail(db: Db, id: string, email: string): Promise<void> {
  const changed = db.query(sql`
    update auth.users set email = ${email}::text, email_change = '', is_anonymous = false, updated_at = now(),
      raw_user_meta_data = case when raw_user_meta_data ? 'email'
        then raw_user_meta_data || jsonb_build_object('email', ${email}::text) else raw_user_meta_data end,
      raw_app_meta_data = case when raw_app_meta_data ? 'provider' then raw_app_meta_data
        else coalesce(raw_app_meta_data, '{}') || '{"provider": "email", "providers": ["email"]}' end
    where id = ${id}`);
  await changed.catch(throwTaken);
  await db.query(sql`
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    values (${id}::text, ${id}::uuid, jsonb_build_object('sub', ${id}::text, 'email', ${email}::text,
      'email_verified', false, 'phone_verified', false), 'email', now(), now())
    on conflict (provider_id, provider) do update
    set identity_data = auth.identities.identity_data || jsonb_build_object('email', ${email}::text),
      updated_at = now()`);
}

/** @param phone E.164 digits; @throws AuthError 422 if another account has it */
export async function setPhone(
  db: Db,
  id: string,
  phone: string,
  isConfirmed: boolean,
): Promise<void> {
  const changed = db.query(sql`
    update auth.users set phone = ${phone}, phone_change = '', is_anonymous = false, updated_at = now(),
      phone_confirmed_at = case when ${isConfirmed}::boolean then now() else phone_confirmed_at end
    where id = ${id}`);
  await changed.catch(throwTaken);
  await db.query(sql`
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    values (${id}::text, ${id}::uuid, jsonb_build_object('sub', ${id}::text, 'phone', ${phone}::text,
      'email_verified', false, 'phone_verified', ${isConfirmed}::boolean), 'phone', now(), now())
    on conflict (provider_id, provider) do update set updated_at = now(),
      identity_data = auth.identities.identity_data || jsonb_build_object('phone', ${phone}::text,
        'phone_verified', ${isConfirmed}::boolean)`);
}

/** @param role database role in the account's tokens */
export const setRole = (db: Db, id: string, role: string) =>
  db.query(sql`update auth.users set role = ${role}, updated_at = now() where id = ${id}`);

// Bans an account: refused by this service from the next call on, and by policies that check it.

/** @param seconds 0 lifts the ban */
export const setBan = (db: Db, id: string, seconds: number) =>
  db.query(sql`
    update auth.users set updated_at = now(),
      banned_until = case when ${seconds}::float > 0 then now() + make_interval(secs => ${seconds}::float) end
    where id = ${id}`);

/** Replaces the error of an address that has an account already. @throws */
export function throwTaken(error: unknown): never {
  if (isTaken(error, 'users_email_partial_key')) throw authError('emailExists');
  throw isTaken(error, 'users_phone_key') ? authError('phoneExists') : error;
}

// Soft deletion: the row stays for references, personal data is erased.

/** Replaces addresses by hashes, as GoTrue does, and removes metadata, identity data, factors and sessions. */
export async function forgetAccount(db: Db, id: string): Promise<void> {
  await db.query(sql`
    update auth.users set deleted_at = now(), updated_at = now(),
      email = encode(sha256(convert_to(id::text || coalesce(email, ''), 'UTF8')), 'hex'),
      phone = case when phone is null then null
        else left(encode(sha256(convert_to(id::text || phone, 'UTF8')), 'hex'), 15) end,
      encrypted_password = '', email_change = '', phone_change = '',
      raw_user_meta_data = '{}', raw_app_meta_data = '{}'
    where id = ${id} and deleted_at is null`);
  await db.query(sql`
    update auth.identities set identity_data = '{}', updated_at = now(),
      provider_id = encode(sha256(convert_to(id::text || provider_id, 'UTF8')), 'hex')
    where user_id = ${id}`);
  await db.query(sql`
    with sessions as (delete from auth.sessions where user_id = ${id}),
      factors as (delete from auth.mfa_factors where user_id = ${id}),
      devices as (delete from auth.seen_devices where user_id = ${id}),
      passkeys as (delete from auth.webauthn_credentials where user_id = ${id})
    delete from auth.one_time_tokens where user_id = ${id}`);
}
