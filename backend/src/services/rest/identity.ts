import type { FastifyRequest } from 'fastify';
import { errors, type JWTPayload } from 'jose';
import type { Caller } from '../../database/callers.ts';
import { readBearer } from '../../http/request.ts';
import type { Keys } from '../../keys/keys.ts';
import type { RestError } from './errors/catalogue.ts';
import * as refusals from './errors/catalogue.ts';

/** By role, so that all anonymous requests share one object. */
const anonymousCallers = new Map<string, Caller>();

function anonymousCaller(role: string): Caller {
  const known = anonymousCallers.get(role) ?? { role, claims: JSON.stringify({ role }) };
  anonymousCallers.set(role, known);
  return known;
}

/** Clock skew that PostgREST allows (PostgREST docs, "JWT Claims Validation"). */
const SKEW_S = 30;

/** A verified token's payload is the same object until it expires, so its JSON is built once. */
const callers = new WeakMap<JWTPayload, Caller>();

interface Rules {
  /** For requests without a token and tokens without a role; undefined rejects both. */
  anonymousRole: string | undefined;
  /** The audience that tokens with an `aud` claim must name; undefined accepts every one. */
  audience: string | undefined;
}

/** @throws RestError PGRST303 (PostgREST docs, "JWT Claims Validation": an absent, null or empty claim is accepted) */
function checkAudience(aud: unknown, audience: string | undefined): void {
  if (aud === undefined || aud === null) return;
  const named = [aud].flat();
  if (!named.every((one) => typeof one === 'string')) {
    throw refusals.badClaims("The JWT 'aud' claim must be a string or an array of strings");
  }
  if (audience !== undefined && named.length > 0 && !named.includes(audience)) {
    throw refusals.badClaims('JWT not in audience');
  }
}

function callerOf(payload: JWTPayload, { anonymousRole, audience }: Rules): Caller {
  const { aud, role, iat } = payload;
  const known = callers.get(payload);
  if (known !== undefined && (role !== undefined || known.role === anonymousRole)) return known;
  if (iat !== undefined && typeof iat !== 'number') {
    throw refusals.badClaims("The JWT 'iat' claim must be a number");
  }
  if (iat !== undefined && iat > Date.now() / 1000 + SKEW_S) {
    throw refusals.badClaims('JWT issued at future');
  }
  checkAudience(aud, audience);
  const name =
    role === undefined ? anonymousRole : typeof role === 'string' ? role : JSON.stringify(role);
  if (name === undefined) throw refusals.anonymousOff();
  // `set role none` would run as the login role.
  if (name === '' || name === 'none' || name.includes('\0')) throw refusals.unknownRole(name);
  const caller: Caller = {
    role: name,
    claims: JSON.stringify({ ...payload, role: name }),
    account: payload.sub,
  };
  callers.set(payload, caller);
  return caller;
}

function tokenError(error: unknown, token: string): RestError | undefined {
  const parts = token.split('.').length;
  if (parts !== 3) return refusals.badToken(`Expected 3 parts in JWT; got ${parts}`);
  if (error instanceof errors.JWTExpired) return refusals.badClaims('JWT expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'invalid') {
      return refusals.badClaims(`The JWT '${error.claim}' claim must be a number`);
    }
    if (error.claim === 'nbf') return refusals.badClaims('JWT not yet valid');
    if (error.claim === 'iat') return refusals.badClaims('JWT issued at future');
    return refusals.badClaims('JWT not in audience');
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSEAlgNotAllowed) {
    return refusals.badToken('No suitable key or wrong key type');
  }
  if (
    error instanceof errors.JOSEError ||
    error instanceof TypeError ||
    error instanceof SyntaxError
  ) {
    return refusals.badToken('JWT cryptographic operation failed');
  }
  return undefined;
}

/**
 * Authenticates a request as PostgREST does (PostgREST docs, "Authentication").
 * @throws RestError PGRST302 when anonymous requests are rejected, PGRST301 for an invalid token, PGRST303 for invalid
 *   claims
 */
export async function identify(request: FastifyRequest, keys: Keys, rules: Rules): Promise<Caller> {
  const { anonymousRole } = rules;
  const token = readBearer(request);
  // `Authorization: Bearer` without a token is an error, not an anonymous request.
  const isEmpty = /^bearer\s*$/i.test(request.headers.authorization ?? '');
  if (token === undefined && !isEmpty) {
    if (anonymousRole === undefined) throw refusals.anonymousOff();
    return anonymousCaller(anonymousRole);
  }
  if (token === undefined || token === '' || isEmpty)
    throw refusals.badToken('Empty JWT is sent in Authorization header');
  const payload = await keys.verify(token).catch((error: unknown) => {
    throw tokenError(error, token) ?? error;
  });
  return callerOf(payload, rules);
}
