// Turns an access token into the rights of a channel, or says why not in realtime's own words (PROTOCOL.md 3.2).
import { errors, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { Keys } from '../../../keys/keys.ts';
import type { Rights } from '../changes/subscriptions.ts';

export interface Grant extends Rights {
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Account and session that the token is of; undefined for keys, and for tokens signed outside. */
  session: { userId: string; id: string } | undefined;
}

/** Its message goes to the client: `<Code>: <text>`. */
export class RefusedToken extends Error {}

const SessionIds = z.object({ userId: z.guid(), id: z.guid() });

/** Claims that differ between two tokens of one session and grant nothing. */
const FLEETING = new Set(['iat', 'exp', 'nbf', 'jti']);

function groupOf(role: string, claims: JWTPayload): string {
  const lasting = Object.entries(claims).filter(([name]) => !FLEETING.has(name));
  return JSON.stringify([role, lasting]);
}

function sessionOf({ sub, session_id: id }: JWTPayload): Grant['session'] {
  const ids = SessionIds.safeParse({ userId: sub, id });
  return ids.success ? ids.data : undefined;
}

function expired(expiresAt: number, now: Date): RefusedToken {
  const ago = Math.max(0, Math.floor((now.getTime() - expiresAt) / 1000));
  return new RefusedToken(`InvalidJWTToken: Token has expired ${ago} seconds ago`);
}

async function verify(keys: Keys, token: string, now: Date): Promise<JWTPayload> {
  try {
    return await keys.verify(token);
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expired((error.payload.exp ?? 0) * 1000, now);
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw new RefusedToken('InvalidJWTToken: The token is not valid now');
    }
    if (
      error instanceof errors.JWSSignatureVerificationFailed ||
      error instanceof errors.JWKSNoMatchingKey ||
      error instanceof errors.JWKSMultipleMatchingKeys ||
      error instanceof errors.JOSEAlgNotAllowed
    ) {
      throw new RefusedToken('JwtSignatureError: Failed to validate JWT signature');
    }
    throw new RefusedToken('MalformedJWT: The token provided is not a valid JWT');
  }
}

/** @throws RefusedToken */
export async function readToken(keys: Keys, token: string, now: Date): Promise<Grant> {
  const claims = await verify(keys, token, now);
  const { role, exp } = claims;
  if (typeof role !== 'string' || exp === undefined) {
    throw new RefusedToken('InvalidJWTToken: Fields `role` and `exp` are required in JWT');
  }
  const expiresAt = exp * 1000;
  if (expiresAt <= now.getTime()) throw expired(expiresAt, now);
  const caller = { role, claims: JSON.stringify(claims), account: claims.sub };
  return { caller, group: groupOf(role, claims), expiresAt, session: sessionOf(claims) };
}
