// Who is asking: the token's claims, or the anonymous role (PROTOCOL.md 2.10).
import type { FastifyRequest } from 'fastify';
import { errors, type JWTPayload } from 'jose';
import type { Caller } from '../../database/callers.ts';
import { bearerOf } from '../../http/bearer.ts';
import type { Keys } from '../../keys/keys.ts';
import * as refusals from './errors/catalogue.ts';
import type { RestError } from './errors/rest-error.ts';

/** By role: a setting names it, and the same object serves every request. */
const visitors = new Map<string, Caller>();

function visitor(role: string): Caller {
  const known = visitors.get(role) ?? { role, claims: JSON.stringify({ role }) };
  visitors.set(role, known);
  return known;
}

/** Tolerated difference of clocks, seconds (PROTOCOL.md 2.10). */
const SKEW_S = 30;

/** A verified token's payload is the same object until it expires, so its text is made once. */
const callers = new WeakMap<JWTPayload, Caller>();

function callerOf(payload: JWTPayload, anonymousRole: string | undefined): Caller {
  const { aud, role, iat } = payload;
  const known = callers.get(payload);
  if (known !== undefined && (role !== undefined || known.role === anonymousRole)) return known;
  if (iat !== undefined && typeof iat !== 'number') {
    throw refusals.badClaims("The JWT 'iat' claim must be a number");
  }
  if (iat !== undefined && iat > Date.now() / 1000 + SKEW_S) {
    throw refusals.badClaims('JWT issued at future');
  }
  if (aud !== undefined && ![aud].flat().every((audience) => typeof audience === 'string')) {
    throw refusals.badClaims("The JWT 'aud' claim must be a string or an array of strings");
  }
  const name =
    role === undefined ? anonymousRole : typeof role === 'string' ? role : JSON.stringify(role);
  if (name === undefined) throw refusals.anonymousOff();
  // `none` is no role but takes one off: what would run as the login itself is refused like an unknown one.
  if (name === '' || name === 'none' || name.includes('\0')) throw refusals.unknownRole(name);
  const caller: Caller = {
    role: name,
    claims: JSON.stringify({ ...payload, role: name }),
    account: payload.sub,
  };
  callers.set(payload, caller);
  return caller;
}

function refusalOf(error: unknown, token: string): RestError | undefined {
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
 * @param anonymousRole of a request without a token, or with one that names no role; undefined refuses both
 * @throws RestError PGRST302 when anonymous requests are refused, PGRST301 for a token that can't be trusted, PGRST303 for one out of its time
 */
export async function identify(
  request: FastifyRequest,
  keys: Keys,
  anonymousRole: string | undefined,
): Promise<Caller> {
  const token = bearerOf(request);
  // The word alone is a token that got lost, not a visitor.
  const isLost = /^bearer\s*$/i.test(request.headers.authorization ?? '');
  if (token === undefined && !isLost) {
    if (anonymousRole === undefined) throw refusals.anonymousOff();
    return visitor(anonymousRole);
  }
  if (token === undefined || token === '' || isLost)
    throw refusals.badToken('Empty JWT is sent in Authorization header');
  const payload = await keys.verify(token).catch((error: unknown) => {
    throw refusalOf(error, token) ?? error;
  });
  return callerOf(payload, anonymousRole);
}
