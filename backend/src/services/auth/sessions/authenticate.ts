import { type JWTPayload, errors as joseErrors } from 'jose';
import { z } from 'zod';
import { readAuthorization, readBearer } from '../../../http/request.ts';
import { sql } from '../database.ts';
import { authError, errors } from '../errors.ts';
import type { Call, Service } from '../service.ts';
import { ACCOUNT_COLUMNS, type Account } from '../users/account.ts';
import { isOver } from './sessions.ts';
import { readIssuer } from './tokens.ts';

export interface SignedIn {
  account: Account;
  /** Undefined for a token signed elsewhere without a session. */
  sessionId: string | undefined;
  aal: string;
  /** Whether the sign-in was more than a day ago. */
  isOld: boolean;
}

const Uuid = z.guid();
const ADMIN_ROLES = new Set(['service_role', 'supabase_admin']);

/** Messages of GoTrue's JWT library for jose's error codes. */
function reasonOf(error: joseErrors.JOSEError): string {
  if (error instanceof joseErrors.JWTExpired) return 'token has invalid claims: token is expired';
  if (error instanceof joseErrors.JWTClaimValidationFailed)
    return `token has invalid claims: ${error.message}`;
  if (error instanceof joseErrors.JWSSignatureVerificationFailed)
    return 'token signature is invalid: signature is invalid';
  if (error instanceof joseErrors.JOSEAlgNotAllowed)
    return 'token signature is invalid: signing method is invalid';
  if (
    error instanceof joseErrors.JWKSNoMatchingKey ||
    error instanceof joseErrors.JWKSMultipleMatchingKeys
  )
    return 'token is unverifiable: error while executing keyfunc: unrecognized JWT kid';
  return 'token is malformed';
}

/** @throws AuthError 401 without a token, 403 if it is invalid */
async function claimsOf(service: Service, token: string | undefined): Promise<JWTPayload> {
  if (token === undefined) throw authError('noToken');
  try {
    return await service.context.keys.verify(token);
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) throw errors.badToken(reasonOf(error));
    throw error;
  }
}

function requireOurs(service: Service, claims: JWTPayload): void {
  const { iss, aud } = claims;
  if (iss !== undefined && iss !== readIssuer(service.context))
    throw errors.badToken('token has invalid claims: token has invalid issuer');
  if (aud !== undefined && ![aud].flat().includes('authenticated'))
    throw errors.badToken('token has invalid claims: token has invalid audience');
}

/**
 * @returns the account and session of the caller's token
 * @throws AuthError for missing, invalid and expired tokens, and for sessions and users that no longer exist
 */
export async function authenticate(call: Call): Promise<SignedIn> {
  // API keys have no user.
  const claims = await claimsOf(call, readAuthorization(call.request));
  if (!claims.sub) throw authError('missingSub');
  if (!Uuid.safeParse(claims.sub).success) throw authError('badSub');
  requireOurs(call, claims);
  const claimed = claims.session_id;
  if (claimed !== undefined && !Uuid.safeParse(claimed).success) throw authError('badSessionClaim');

  interface Row extends Account {
    session_id: string | null;
    is_old: boolean;
    session_ended: boolean;
    aal: string | null;
  }
  const { rows } = await call.pool.query<Row>(sql`
    select ${ACCOUNT_COLUMNS}, s.id as session_id, s.aal::text as aal,
      coalesce(s.created_at < now() - interval '24 hours', false) as is_old,
      (${isOver(call)}) as session_ended
    from auth.users u left join auth.sessions s on s.user_id = u.id and s.id = ${claimed}
    where u.id = ${claims.sub}`);
  const row = rows[0];
  if (row === undefined) throw authError('userGone');
  const { session_id: sessionId, session_ended: ended, is_old: isOld, aal, ...account } = row;
  if (claimed !== undefined && sessionId === null) throw authError('sessionGone');
  if (ended) throw authError('sessionExpired');
  if (account.is_banned) throw errors.banned(403);
  return { account, sessionId: sessionId ?? undefined, aal: aal ?? 'aal1', isOld };
}

/** @throws AuthError unless the token is the service key */
export async function requireAdmin(call: Call): Promise<void> {
  const claims = await claimsOf(call, readBearer(call.request));
  if (typeof claims.role !== 'string' || !ADMIN_ROLES.has(claims.role)) throw authError('notAdmin');
}
