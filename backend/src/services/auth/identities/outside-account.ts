// Accounts created by an external identity, and removing unproven credentials when a proven identity arrives.
import type { Db } from '../database.ts';
import type { OutsidePerson } from '../providers/person.ts';
import { takenRefusal } from '../users/create-account.ts';
import { addIdentity } from './outside-identity.ts';

/** @returns the new account's id; @throws AuthError 422 if its address has an account already */
export async function createOutsideAccount(db: Db, person: OutsidePerson): Promise<string> {
  const id = crypto.randomUUID();
  const { provider, email, emailVerified, isSso, metadata } = person;
  try {
    await db.query(
      `insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, raw_app_meta_data,
         raw_user_meta_data, is_sso_user, is_anonymous, created_at, updated_at)
       values ($1, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', $2,
         case when $3::boolean then now() end, $4, $5, $6, false, now(), now())`,
      [
        id,
        email ?? null,
        email !== undefined && emailVerified,
        JSON.stringify({ provider, providers: [provider] }),
        JSON.stringify(metadata),
        isSso,
      ],
    );
  } catch (error) {
    throw takenRefusal(error);
  }
  await addIdentity(db, id, person);
  return id;
}

/**
 * An account with an unconfirmed address may have been created by someone who does not own it. When the owner signs in
 * with a verified address, the other's password, identities, factors, sessions and metadata are removed (GoTrue:
 * "RemoveUnconfirmedIdentities").
 */
export async function dropUnproved(db: Db, userId: string, person: OutsidePerson): Promise<void> {
  await db.query(
    `update auth.users set encrypted_password = null, phone = null, phone_confirmed_at = null, email_change = '',
       phone_change = '', raw_user_meta_data = $2, updated_at = now() where id = $1`,
    [userId, JSON.stringify(person.metadata)],
  );
  await db.query(
    `with identities as (
       delete from auth.identities where user_id = $1 and (provider, provider_id) <> ($2, $3)
     ), factors as (
       delete from auth.mfa_factors where user_id = $1
     ), tokens as (
       delete from auth.one_time_tokens where user_id = $1
     ), flows as (
       delete from auth.flow_state where user_id = $1 or linking_target_id = $1
     )
     delete from auth.sessions where user_id = $1`,
    [userId, person.provider, person.subject],
  );
}
