import { z } from 'zod';
import { type Db, isTaken, raw, sql } from '../database.ts';
import { authError } from '../errors.ts';
import type { Service } from '../service.ts';
import { type Registration, StoredCredential } from './webauthn.ts';

export const CHALLENGE_LIFETIME_S = 300;
export const MOST_PASSKEYS = 10;

export interface Passkey {
  id: string;
  friendly_name?: string;
  created_at: string;
  last_used_at?: string;
}

const ITEM = raw('id, friendly_name, created_at, last_used_at');

interface Row {
  id: string;
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

function item(row: Row): Passkey {
  return {
    id: row.id,
    ...(row.friendly_name === '' ? {} : { friendly_name: row.friendly_name }),
    created_at: row.created_at.toISOString(),
    ...(row.last_used_at === null ? {} : { last_used_at: row.last_used_at.toISOString() }),
  };
}

export async function fetchPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  const { rows } = await db.query<Row>(sql`
    select ${ITEM} from auth.webauthn_credentials where user_id = ${userId} order by created_at, id`);
  return rows.map(item);
}

/** @returns ids of the account's credentials, base64url */
export async function fetchCredentialIds(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ credential_id: Buffer }>(sql`
    select credential_id from auth.webauthn_credentials where user_id = ${userId}`);
  return rows.map((row) => row.credential_id.toString('base64url'));
}

/** @returns the challenge's id and when it expires, in Unix seconds */
export async function storeChallenge(
  { pool, context }: Service,
  type: 'registration' | 'authentication',
  userId: string | null,
  challenge: string,
): Promise<{ id: string; expiresAt: number }> {
  const id = crypto.randomUUID();
  const expiresAt = Math.floor(context.now().getTime() / 1000) + CHALLENGE_LIFETIME_S;
  await pool.query(sql`
    insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, expires_at)
    values (${id}, ${userId}, ${type}, ${JSON.stringify({ challenge })}, to_timestamp(${expiresAt}))`);
  return { id, expiresAt };
}

const SessionData = z.object({ challenge: z.string() });

/** Consumes the challenge in any case. @returns the value to be signed; @throws AuthError 400 */
export async function takeChallenge(
  { pool, context }: Service,
  type: 'registration' | 'authentication',
  userId: string | null,
  id: string,
): Promise<string> {
  const { rows } = await pool.query<{ session_data: unknown; expires_at: Date }>(sql`
    delete from auth.webauthn_challenges
    where id = ${id} and challenge_type = ${type} and user_id is not distinct from ${userId}::uuid
    returning session_data, expires_at`);
  const row = rows[0];
  if (row === undefined) throw authError('noPasskeyChallenge');
  if (row.expires_at <= context.now()) throw authError('passkeyChallengeExpired');
  return SessionData.parse(row.session_data).challenge;
}

/** @throws AuthError 422 if the credential is registered already, or the account has too many */
export async function addPasskey(
  db: Db,
  userId: string,
  { credential, aaguid, credentialDeviceType, credentialBackedUp, fmt }: Registration,
): Promise<Passkey> {
  // Locked, so that concurrent registrations can't exceed the limit.
  await db.query(sql`select from auth.users where id = ${userId} for update`);
  if ((await fetchPasskeys(db, userId)).length >= MOST_PASSKEYS) throw authError('tooManyPasskeys');
  const { rows } = await db
    .query<Row>(sql`
      insert into auth.webauthn_credentials (user_id, credential_id, public_key, attestation_type, aaguid, sign_count,
        transports, backup_eligible, backed_up)
      values (${userId}, ${Buffer.from(credential.id, 'base64url')}, ${Buffer.from(credential.publicKey)},
        ${fmt}, ${aaguid}, ${credential.counter}, ${JSON.stringify(credential.transports ?? [])},
        ${credentialDeviceType === 'multiDevice'}, ${credentialBackedUp}) returning ${ITEM}`)
    .catch((error: unknown) => {
      const isKnown = isTaken(error, 'webauthn_credentials_credential_id_key');
      throw isKnown ? authError('credentialExists') : error;
    });
  const row = rows[0];
  if (row === undefined) throw authError('credentialNotVerified');
  return item(row);
}

/** Locks the credential, so that concurrent responses can't reuse a counter. */
export async function lockCredential(
  db: Db,
  credentialId: string,
): Promise<{ userId: string; stored: StoredCredential } | undefined> {
  const { rows } = await db.query<{
    user_id: string;
    public_key: Buffer;
    sign_count: string;
    transports: unknown;
  }>(sql`
    select user_id, public_key, sign_count, transports from auth.webauthn_credentials
    where credential_id = ${Buffer.from(credentialId, 'base64url')} for update`);
  const row = rows[0];
  if (row === undefined) return undefined;
  const stored = StoredCredential.parse({
    id: credentialId,
    public_key: row.public_key.toString('base64url'),
    sign_count: Number(row.sign_count),
    transports: row.transports,
  });
  return { userId: row.user_id, stored };
}

export const markUsed = (db: Db, credentialId: string, signCount: number) =>
  db.query(sql`
    update auth.webauthn_credentials set sign_count = ${signCount}, last_used_at = now(), updated_at = now()
    where credential_id = ${Buffer.from(credentialId, 'base64url')}`);

export async function renamePasskey(
  db: Db,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey> {
  const { rows } = await db.query<Row>(sql`
    update auth.webauthn_credentials set friendly_name = ${name}, updated_at = now()
    where id = ${id} and user_id = ${userId} returning ${ITEM}`);
  const row = rows[0];
  if (row === undefined) throw authError('noSuchPasskey');
  return item(row);
}

export async function removePasskey(db: Db, userId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(sql`
    delete from auth.webauthn_credentials where id = ${id} and user_id = ${userId}`);
  if (rowCount === 0) throw authError('noSuchPasskey');
}
