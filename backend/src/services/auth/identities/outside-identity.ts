import { type Db, isTaken } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import type { OutsidePerson } from '../providers/person.ts';
import { METADATA_LIMIT } from '../users/metadata-size.ts';

// Identities from external providers: finding, adding and updating them.
/**
 * Serialises sign-ins of one provider user, and of one e-mail address, until the transaction ends: of two concurrent ones
 * the first creates the account and the second finds it.
 */
export async function lockPerson(db: Db, person: OutsidePerson): Promise<void> {
  const names = [`identity ${person.provider} ${person.subject}`];
  if (person.email !== undefined && !person.isSso) names.push(`email ${person.email}`);
  // Always in this order, which prevents deadlocks.
  for (const name of names) {
    await db.query('select pg_advisory_xact_lock(hashtextextended($1, 7823114))', [name]);
  }
}

export async function ownerOf(db: Db, person: OutsidePerson): Promise<string | undefined> {
  const { rows } = await db.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [person.provider, person.subject],
  );
  return rows[0]?.user_id;
}

/** @throws AuthError 422 if the identity belongs to another account */
export async function addIdentity(db: Db, userId: string, person: OutsidePerson): Promise<void> {
  try {
    await db.query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
       values ($1, $2, $3, $4, now(), clock_timestamp(), now())`,
      [person.subject, userId, JSON.stringify(person.metadata), person.provider],
    );
  } catch (error) {
    if (isTaken(error, 'identities_provider_id_provider_unique')) {
      throw refusals.identityLinked(false);
    }
    throw error;
  }
  await nameProviders(db, userId);
}

export async function touchIdentity(db: Db, person: OutsidePerson): Promise<void> {
  await db.query(
    `update auth.identities set identity_data = $3, last_sign_in_at = now(), updated_at = now()
     where provider = $1 and provider_id = $2`,
    [person.provider, person.subject, JSON.stringify(person.metadata)],
  );
}

/** Adds keys that the account's metadata lacks, up to the size limit. Existing values stay: users may have changed them. */
export async function fillMetadata(db: Db, userId: string, person: OutsidePerson): Promise<void> {
  await db.query(
    `update auth.users set raw_user_meta_data = $2::jsonb || coalesce(raw_user_meta_data, '{}'), updated_at = now()
     where id = $1
       and octet_length(($2::jsonb || coalesce(raw_user_meta_data, '{}'))::text) <= $3::integer`,
    [userId, JSON.stringify(person.metadata), METADATA_LIMIT],
  );
}

// `app_metadata.provider` and `providers`: the first provider of an account, and all of them.
export async function nameProviders(db: Db, userId: string): Promise<void> {
  await db.query(
    `update auth.users u set updated_at = now(), raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}')
       || (select jsonb_build_object('provider', (array_agg(i.provider order by i.created_at, i.id))[1],
            'providers', jsonb_agg(distinct i.provider)) from auth.identities i where i.user_id = u.id)
     where u.id = $1`,
    [userId],
  );
}
