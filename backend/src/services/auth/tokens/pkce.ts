import { createHash } from 'node:crypto';
import { type Db, sql } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { isSame } from '../factors/codes.ts';
import { text } from '../input/parse.ts';

// PKCE (RFC 7636): a link ends with a code that only the client that requested the link can exchange.
const CHALLENGE = /^[A-Za-z0-9._~-]+$/;
/** Seconds between opening the link and exchanging its code. */
const LIFETIME_S = 300;

export interface Challenge {
  challenge: string;
  method: 's256' | 'plain';
}

/** Body fields that start a PKCE flow. */
export const challengeFields = { code_challenge: text, code_challenge_method: text };
type ChallengeFields = Record<keyof typeof challengeFields, string>;

/** @returns the challenge, undefined for the implicit flow; @throws AuthError 400 */
export function readChallenge(fields: ChallengeFields): Challenge | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = fields;
  if (challenge === '' && method === '') return undefined;
  if (challenge === '' || method === '') {
    throw errors.invalid('PKCE flow requires code_challenge_method and code_challenge');
  }
  if (challenge.length < 43 || challenge.length > 128) {
    throw errors.invalid('code challenge has to be between 43 and 128 characters');
  }
  if (!CHALLENGE.test(challenge)) {
    throw errors.invalid(
      'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    );
  }
  const known = method.toLowerCase();
  if (known !== 's256' && known !== 'plain') {
    throw errors.invalid(`code challenge method ${method} is not supported`);
  }
  return { challenge, method: known };
}

/** GoTrue's name of the flow that a link of this type completes. */
const flowOf = (type: string): string => (type === 'signup' ? 'email/signup' : type);

export async function beginFlow(
  db: Db,
  userId: string,
  type: string,
  { challenge, method }: Challenge,
): Promise<void> {
  await db.query(sql`
    delete from auth.flow_state where user_id = ${userId} and authentication_method = ${flowOf(type)}`);
  await db.query(sql`
    insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method,
      provider_type, authentication_method, created_at, updated_at)
    values (gen_random_uuid(), ${userId}, gen_random_uuid()::text, ${challenge}, ${method}, 'email',
      ${flowOf(type)}, now(), now())`);
}

/** @returns the code that the client exchanges for its session; undefined without an open flow */
export async function issueCode(db: Db, userId: string, type: string): Promise<string | undefined> {
  const { rows } = await db.query<{ auth_code: string }>(sql`
    update auth.flow_state set auth_code_issued_at = now(), updated_at = now()
    where user_id = ${userId} and authentication_method = ${flowOf(type)} returning auth_code`);
  return rows[0]?.auth_code;
}

function answers(verifier: string, challenge: string, method: string): boolean {
  const hash = () => createHash('sha256').update(verifier).digest('base64url');
  return isSame(method === 's256' ? hash() : verifier, challenge);
}

/**
 * Exchanges a code once. @returns the account and its authentication method
 * @throws AuthError for an unknown or expired code, or a wrong verifier
 */
export async function takeCode(
  db: Db,
  code: string,
  verifier: string,
): Promise<{ userId: string; authenticationMethod: string; tokens: ProviderTokens }> {
  const { rows } = await db.query<{
    id: string;
    user_id: string;
    method: string;
    challenge: string;
    authentication_method: string;
    is_old: boolean;
    access_token: string | null;
    refresh_token: string | null;
  }>(sql`
    select id, user_id, code_challenge_method::text as method, code_challenge as challenge, authentication_method,
      provider_access_token as access_token, provider_refresh_token as refresh_token,
      auth_code_issued_at < now() - make_interval(secs => ${LIFETIME_S}) as is_old
    from auth.flow_state
    where auth_code = ${code} and auth_code_issued_at is not null and user_id is not null for update`);
  const flow = rows[0];
  if (flow === undefined) throw authError('noFlow');
  if (flow.is_old) throw authError('flowExpired');
  if (!answers(verifier, flow.challenge, flow.method)) throw authError('badCodeVerifier');
  await db.query(sql`delete from auth.flow_state where id = ${flow.id}`);
  const tokens = {
    accessToken: flow.access_token ?? undefined,
    refreshToken: flow.refresh_token ?? undefined,
  };
  return { userId: flow.user_id, authenticationMethod: flow.authentication_method, tokens };
}

// The provider's own tokens, passed to the app with its session. They are not stored.

export interface ProviderTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/** @returns fields for a session response or redirect */
export function tokenFields({ accessToken, refreshToken }: ProviderTokens): Record<string, string> {
  return {
    ...(accessToken ? { provider_token: accessToken } : {}),
    ...(refreshToken ? { provider_refresh_token: refreshToken } : {}),
  };
}
