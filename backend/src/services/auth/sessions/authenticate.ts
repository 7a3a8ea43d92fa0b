// The caller, from the bearer token and its session: a token becomes invalid as soon as its session ends.
import type { FastifyRequest } from 'fastify';
import { errors, type JWTPayload } from 'jose';
import { z } from 'zod';
import { authorizationOf, bearerOf } from '../../../http/request.ts';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { issuerOf } from '../tokens/access-token.ts';
import { ACCOUNT_COLUMNS, type Account } from '../users/account.ts';
import { isOver, lifetimeOf } from './lifetime.ts';

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
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'token has invalid claims: token is expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `token has invalid claims: ${error.message}`;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'token signature is invalid: signature is invalid';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'token signature is invalid: signing method is invalid';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'token is unverifiable: error while executing keyfunc: unrecognized JWT kid';
  return 'token is malformed';
}

/** @throws AuthError 401 without a token, 403 if it is invalid */
async function claimsOf(service: Service, token: string | undefined): Promise<JWTPayload> {
  if (token === undefined) throw refusals.noToken();
  try {
    return await service.context.keys.verify(token);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refusals.badToken(reasonOf(error));
    throw error;
  }
}

function requireOurs(service: Service, claims: JWTPayload): void {
  const { iss, aud } = claims;
  if (iss !== undefined && iss !== issuerOf(service.context))
    throw refusals.badToken('token has invalid claims: token has invalid issuer');
  if (aud !== undefined && ![aud].flat().includes('authenticated'))
    throw refusals.badToken('token has invalid claims: token has invalid audience');
}

/**
 * @returns the account and session of the caller's token
 * @throws AuthError for missing, invalid and expired tokens, and for sessions and users that no longer exist
 */
export async function authenticate(service: Service, request: FastifyRequest): Promise<SignedIn> {
  // API keys have no user.
  const claims = await claimsOf(service, authorizationOf(request));
  if (!claims.sub) throw refusals.missingSub();
  if (!Uuid.safeParse(claims.sub).success) throw refusals.badSub();
  requireOurs(service, claims);
  const claimed = claims.session_id;
  if (claimed !== undefined && !Uuid.safeParse(claimed).success) throw refusals.badSessionClaim();

  const { rows } = await service.pool.query<
    Account & {
      session_id: string | null;
      is_old: boolean;
      session_ended: boolean;
      aal: string | null;
    }
  >(
    `select ${ACCOUNT_COLUMNS}, s.id as session_id, s.aal::text as aal,
       coalesce(s.created_at < now() - interval '24 hours', false) as is_old,
       (${isOver(3)}) as session_ended
     from auth.users u left join auth.sessions s on s.user_id = u.id and s.id = $2
     where u.id = $1`,
    [claims.sub, claimed ?? null, ...lifetimeOf(service)],
  );
  const row = rows[0];
  if (row === undefined) throw refusals.userGone();
  const { session_id: sessionId, session_ended: ended, is_old: isOld, aal, ...account } = row;
  if (claimed !== undefined && sessionId === null) throw refusals.sessionGone();
  if (ended) throw refusals.sessionExpired();
  if (account.is_banned) throw refusals.banned(403);
  return { account, sessionId: sessionId ?? undefined, aal: aal ?? 'aal1', isOld };
}

/** @throws AuthError unless the token is the service key */
export async function requireAdmin(service: Service, request: FastifyRequest): Promise<void> {
  const claims = await claimsOf(service, bearerOf(request));
  if (typeof claims.role !== 'string' || !ADMIN_ROLES.has(claims.role)) throw refusals.notAdmin();
}
