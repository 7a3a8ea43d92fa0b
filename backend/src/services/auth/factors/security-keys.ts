// Security keys and passkeys as a second factor: WebAuthn options and checking the response.
import { z } from 'zod';
import { type Db, sql } from '../database.ts';
import type { Service } from '../service.ts';
import type { Account, Factor } from '../users/account.ts';
import {
  authenticationOptions,
  checkKnown,
  checkNew,
  KnownCredential,
  NewCredential,
  registrationOptions,
  relyingParty,
  StoredCredential,
} from './webauthn.ts';

const SessionData = z.object({ challenge: z.string() });

async function credentialOf(db: Db, factorId: string): Promise<StoredCredential | undefined> {
  const { rows } = await db.query<{ credential: unknown }>(sql`
    select web_authn_credential as credential from auth.mfa_factors where id = ${factorId} for update`);
  return StoredCredential.safeParse(rows[0]?.credential).data;
}

export interface Ceremony {
  type: 'create' | 'request';
  challenge: string;
  /** `credential_options` in the response. */
  options: object;
}

/** An unverified factor creates a credential; a verified one uses it. */
export async function beginCeremony(
  service: Service,
  db: Db,
  account: Account,
  factor: Factor,
): Promise<Ceremony> {
  const party = relyingParty(service.context);
  const stored = await credentialOf(db, factor.id);
  if (factor.status === 'verified' && stored !== undefined) {
    const publicKey = await authenticationOptions({
      rpID: party.id,
      allowCredentials: [{ id: stored.id }],
      userVerification: 'preferred',
    });
    return { type: 'request', challenge: publicKey.challenge, options: { publicKey } };
  }
  const publicKey = await registrationOptions(party, account, {
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  return { type: 'create', challenge: publicKey.challenge, options: { publicKey } };
}

/** Stores the new credential or the new counter. @returns whether the response is valid */
export async function completeCeremony(
  service: Service,
  db: Db,
  factor: Factor,
  sessionData: unknown,
  answer: unknown,
): Promise<boolean> {
  const session = SessionData.safeParse(sessionData);
  if (!session.success) return false;
  const party = relyingParty(service.context);
  const expected = { challenge: session.data.challenge, party, userVerification: false };
  const stored = await credentialOf(db, factor.id);
  if (factor.status === 'verified') {
    const parsed = KnownCredential.safeParse(answer);
    if (!parsed.success || stored === undefined || parsed.data.id !== stored.id) return false;
    const count = await checkKnown(parsed.data, stored, expected);
    if (count === undefined) return false;
    await storeCredential(db, factor.id, { ...stored, sign_count: count });
    return true;
  }
  const parsed = NewCredential.safeParse(answer);
  if (!parsed.success) return false;
  const made = await checkNew(parsed.data, expected);
  if (made === undefined) return false;
  const { credential, aaguid } = made;
  await storeCredential(
    db,
    factor.id,
    {
      id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      sign_count: credential.counter,
      transports: credential.transports ?? [],
    },
    aaguid,
  );
  return true;
}

async function storeCredential(
  db: Db,
  factorId: string,
  credential: StoredCredential,
  aaguid?: string,
): Promise<void> {
  await db.query(sql`
    update auth.mfa_factors set web_authn_credential = ${JSON.stringify(credential)},
      web_authn_aaguid = coalesce(${aaguid}, web_authn_aaguid), updated_at = now()
    where id = ${factorId}`);
}
