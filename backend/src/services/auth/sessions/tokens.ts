// Access tokens (JWT) with GoTrue's claims.

import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { type Db, sql } from '../database.ts';
import type { Account } from '../users/account.ts';

export interface SignedToken {
  token: string;
  /** Seconds. */
  expiresIn: number;
  /** Unix seconds. */
  expiresAt: number;
}

export interface Proof {
  aal: string;
  /** Newest first; `provider` is the id of the SAML provider. */
  amr: { method: string; timestamp: number; provider?: string }[];
}

/** @returns the authentication methods of the session */
export async function fetchProof(db: Db, sessionId: string): Promise<Proof> {
  const { rows } = await db.query<Proof>(sql`
    select coalesce(s.aal::text, 'aal1') as aal, coalesce((
      select json_agg(json_strip_nulls(json_build_object(
        'method', c.authentication_method, 'timestamp', floor(extract(epoch from c.updated_at)),
        'provider', case when c.authentication_method = 'sso/saml' then (
          select substring(i.provider from 5) from auth.identities i
          where i.user_id = s.user_id and i.provider like 'sso:%' order by i.created_at limit 1) end
      )) order by c.updated_at desc, c.id)
      from auth.mfa_amr_claims c where c.session_id = s.id), '[]') as amr
    from auth.sessions s where s.id = ${sessionId}`);
  return rows[0] ?? { aal: 'aal1', amr: [] };
}

export function readIssuer(context: Context): string {
  return `${context.siteUrl()}/auth/v1`;
}

export async function signAccessToken(
  context: Context,
  account: Account,
  sessionId: string,
  proof: Proof,
): Promise<SignedToken> {
  const expiresIn = context.settings.auth.jwt_expiry;
  const issuedAt = Math.floor(context.now().getTime() / 1000);
  const expiresAt = issuedAt + expiresIn;
  const token = await context.keys.sign({
    iss: readIssuer(context),
    sub: account.id,
    aud: account.aud,
    exp: expiresAt,
    iat: issuedAt,
    email: account.email,
    phone: account.phone,
    app_metadata: account.app_metadata,
    user_metadata: account.user_metadata,
    role: account.role,
    aal: proof.aal,
    amr: proof.amr,
    session_id: sessionId,
    is_anonymous: account.is_anonymous,
  });
  return { token, expiresIn, expiresAt };
}

// Refresh tokens. Only hashes are stored, but a client that lost a response must get the same token again: each token is derived
// from its parent, known to the client, and a salt, known to the database.

/** 120 random bits in base32. */
const LENGTH = 24;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const SHAPE = /^[a-z2-7]{12,64}$/;

export interface RefreshToken {
  /** For the client. */
  token: string;
  /** For the database. */
  hash: string;
  salt: Buffer;
}

function letters(bytes: Buffer): string {
  return [...bytes.subarray(0, LENGTH)].map((byte) => LETTERS[byte & 31]).join('');
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function hasTokenShape(token: string): boolean {
  return SHAPE.test(token);
}

export function firstToken(): RefreshToken {
  const salt = randomBytes(32);
  const token = letters(randomBytes(LENGTH));
  return { token, hash: hashToken(token), salt };
}

/**
 * The successor of `parent`; with the stored salt the same as before. An old token alone, or the database alone, is not enough
 * to compute it.
 */
export function nextToken(parent: string, salt: Buffer = randomBytes(32)): RefreshToken {
  const token = letters(createHmac('sha256', salt).update(parent).digest());
  return { token, hash: hashToken(token), salt };
}
