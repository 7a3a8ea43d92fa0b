import { errors, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { Keys } from '../../../keys/keys.ts';
import type { Rights } from '../changes/subscriptions.ts';

export interface Grant extends Rights {
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** User and session of the token; undefined for API keys and tokens signed elsewhere. */
  session: { userId: string; id: string } | undefined;
}

/** The message is sent to the client as `<Code>: <text>` (Supabase docs, "Realtime Error Codes"). */
export class TokenError extends Error {}

const SessionIds = z.object({ userId: z.guid(), id: z.guid() });

/** Claims that change with each token of a session and grant nothing. */
const PER_TOKEN = new Set(['iat', 'exp', 'nbf', 'jti']);

function groupOf(role: string, claims: JWTPayload): string {
  const stable = Object.entries(claims).filter(([name]) => !PER_TOKEN.has(name));
  return JSON.stringify([role, stable]);
}

function sessionOf({ sub, session_id: id }: JWTPayload): Grant['session'] {
  const ids = SessionIds.safeParse({ userId: sub, id });
  return ids.success ? ids.data : undefined;
}

function expired(expiresAt: number, now: Date): TokenError {
  const ago = Math.max(0, Math.floor((now.getTime() - expiresAt) / 1000));
  return new TokenError(`InvalidJWTToken: Token has expired ${ago} seconds ago`);
}

async function verify(keys: Keys, token: string, now: Date): Promise<JWTPayload> {
  try {
    return await keys.verify(token);
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expired((error.payload.exp ?? 0) * 1000, now);
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw new TokenError('InvalidJWTToken: The token is not valid now');
    }
    if (
      error instanceof errors.JWSSignatureVerificationFailed ||
      error instanceof errors.JWKSNoMatchingKey ||
      error instanceof errors.JWKSMultipleMatchingKeys ||
      error instanceof errors.JOSEAlgNotAllowed
    ) {
      throw new TokenError('JwtSignatureError: Failed to validate JWT signature');
    }
    throw new TokenError('MalformedJWT: The token provided is not a valid JWT');
  }
}

/** @throws TokenError */
export async function readToken(keys: Keys, token: string, now: Date): Promise<Grant> {
  const claims = await verify(keys, token, now);
  const { role, exp } = claims;
  if (typeof role !== 'string' || exp === undefined) {
    throw new TokenError('InvalidJWTToken: Fields `role` and `exp` are required in JWT');
  }
  const expiresAt = exp * 1000;
  if (expiresAt <= now.getTime()) throw expired(expiresAt, now);
  const caller = { role, claims: JSON.stringify(claims), account: claims.sub };
  return { caller, group: groupOf(role, claims), expiresAt, session: sessionOf(claims) };
}
