// Access tokens (JWT) with GoTrue's claims.
import type { Context } from '../../../context.ts';
import type { Db } from '../database.ts';
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
export async function proofOf(db: Db, sessionId: string): Promise<Proof> {
  const { rows } = await db.query<Proof>(
    `select coalesce(s.aal::text, 'aal1') as aal, coalesce((
       select json_agg(json_strip_nulls(json_build_object(
         'method', c.authentication_method, 'timestamp', floor(extract(epoch from c.updated_at)),
         'provider', case when c.authentication_method = 'sso/saml' then (
           select substring(i.provider from 5) from auth.identities i
           where i.user_id = s.user_id and i.provider like 'sso:%' order by i.created_at limit 1) end
       )) order by c.updated_at desc, c.id)
       from auth.mfa_amr_claims c where c.session_id = s.id), '[]') as amr
     from auth.sessions s where s.id = $1`,
    [sessionId],
  );
  return rows[0] ?? { aal: 'aal1', amr: [] };
}

export function issuerOf(context: Context): string {
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
    iss: issuerOf(context),
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
