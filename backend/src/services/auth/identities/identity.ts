import { type Db, isTaken, sql } from '../database.ts';
import { authError } from '../errors.ts';
import { METADATA_LIMIT } from '../input/fields.ts';
import type { ProviderUser } from '../providers/provider.ts';
import { throwTaken } from '../users/change-account.ts';

/**
 * Serialises sign-ins of one provider user, and of one e-mail address, until the transaction ends: of two concurrent ones
 * the first creates the account and the second finds it.
 */
export async function lockPerson(db: Db, person: ProviderUser): Promise<void> {
  const names = [`identity ${person.provider} ${person.subject}`];
  if (person.email !== undefined && !person.isSso) names.push(`email ${person.email}`);
  // Always in this order, which prevents deadlocks.
  for (const name of names) {
    await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 7823114))`);
  }
}

export async function findOwner(db: Db, person: ProviderUser): Promise<string | undefined> {
  const { rows } = await db.query<{ user_id: string }>(sql`
    select user_id from auth.identities where provider = ${person.provider} and provider_id = ${person.subject}`);
  return rows[0]?.user_id;
}

/** @throws AuthError 422 if the identity belongs to another account */
export async function addIdentity(db: Db, userId: string, person: ProviderUser): Promise<void> {
  try {
    await db.query(sql`
      insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at,
        updated_at)
      values (${person.subject}, ${userId}, ${JSON.stringify(person.metadata)}, ${person.provider}, now(),
        clock_timestamp(), now())`);
  } catch (error) {
    if (isTaken(error, 'identities_provider_id_provider_unique')) throw authError('identityTaken');
    throw error;
  }
  await nameProviders(db, userId);
}

export const touchIdentity = (db: Db, person: ProviderUser) =>
  db.query(sql`
    update auth.identities set identity_data = ${JSON.stringify(person.metadata)}, last_sign_in_at = now(),
      updated_at = now()
    where provider = ${person.provider} and provider_id = ${person.subject}`);

/** Adds keys that the account's metadata lacks, up to the size limit. Existing values stay: users may have changed them. */
export async function fillMetadata(db: Db, userId: string, person: ProviderUser): Promise<void> {
  const metadata = JSON.stringify(person.metadata);
  await db.query(sql`
    update auth.users set raw_user_meta_data = ${metadata}::jsonb || coalesce(raw_user_meta_data, '{}'),
      updated_at = now()
    where id = ${userId} and octet_length((${metadata}::jsonb || coalesce(raw_user_meta_data, '{}'))::text)
      <= ${METADATA_LIMIT}::integer`);
}

// `app_metadata.provider` and `providers`: the first provider of an account, and all of them.
export const nameProviders = (db: Db, userId: string) =>
  db.query(sql`
    update auth.users u set updated_at = now(), raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}')
      || (select jsonb_build_object('provider', (array_agg(i.provider order by i.created_at, i.id))[1],
           'providers', jsonb_agg(distinct i.provider)) from auth.identities i where i.user_id = u.id)
    where u.id = ${userId}`);

// Accounts created by an external identity, and removing unproven credentials when a proven identity arrives.

/** @returns the new account's id; @throws AuthError 422 if its address has an account already */
export async function createProviderAccount(db: Db, person: ProviderUser): Promise<string> {
  const id = crypto.randomUUID();
  const { provider, email, emailVerified, isSso, metadata } = person;
  const changed = db.query(sql`
    insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, raw_app_meta_data,
      raw_user_meta_data, is_sso_user, is_anonymous, created_at, updated_at)
    values (${id}, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', ${email},
      case when ${email !== undefined && emailVerified}::boolean then now() end,
      ${JSON.stringify({ provider, providers: [provider] })}, ${JSON.stringify(metadata)}, ${isSso},
      false, now(), now())`);
  await changed.catch(throwTaken);
  await addIdentity(db, id, person);
  return id;
}

/**
 * An account with an unconfirmed address may have been created by someone who does not own it. When the owner signs in
 * with a verified address, the other's password, identities, factors, sessions and metadata are removed (GoTrue:
 * "RemoveUnconfirmedIdentities").
 */
export async function dropUnproved(db: Db, userId: string, person: ProviderUser): Promise<void> {
  await db.query(sql`
    update auth.users set encrypted_password = null, phone = null, phone_confirmed_at = null, email_change = '',
      phone_change = '', raw_user_meta_data = ${JSON.stringify(person.metadata)}, updated_at = now()
    where id = ${userId}`);
  await db.query(sql`
    with identities as (
      delete from auth.identities
      where user_id = ${userId} and (provider, provider_id) <> (${person.provider}, ${person.subject})
    ), factors as (
      delete from auth.mfa_factors where user_id = ${userId}
    ), tokens as (
      delete from auth.one_time_tokens where user_id = ${userId}
    ), flows as (
      delete from auth.flow_state where user_id = ${userId} or linking_target_id = ${userId}
    )
    delete from auth.sessions where user_id = ${userId}`);
}
