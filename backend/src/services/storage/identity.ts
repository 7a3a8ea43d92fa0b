// Who is asking. Storage wants a token for everything but public and signed addresses (PROTOCOL.md 0 and 4.1).
import type { FastifyRequest } from 'fastify';
import { errors, type JWTPayload } from 'jose';
import type { Caller } from '../../database/callers.ts';
import { bearerOf } from '../../http/bearer.ts';
import type { Keys } from '../../keys/keys.ts';
import * as refusals from './errors/catalogue.ts';

export interface Visitor {
  caller: Caller;
  /** Subject of the token: the user's id; undefined for the keys of the project. */
  sub: string | undefined;
}

const visitors = new WeakMap<JWTPayload, Visitor>();

function visitorOf(payload: JWTPayload): Visitor {
  const known = visitors.get(payload);
  if (known !== undefined) return known;
  const role = typeof payload.role === 'string' ? payload.role : 'anon';
  // `none` would take the role off and run as the login itself.
  if (role === '' || role === 'none' || role.includes('\0')) {
    throw refusals.accessDenied(`role "${role.replaceAll('\0', '')}" does not exist`);
  }
  const visitor = {
    caller: { role, claims: JSON.stringify({ ...payload, role }), account: payload.sub },
    sub: payload.sub,
  };
  visitors.set(payload, visitor);
  return visitor;
}

/** @throws StorageError with jose's own words, which clients know */
export async function identify(request: FastifyRequest, keys: Keys): Promise<Visitor> {
  const token = bearerOf(request) ?? '';
  const payload = await keys.verify(token).catch((error: unknown) => {
    const isToken = error instanceof errors.JOSEError || error instanceof TypeError;
    throw isToken || error instanceof SyntaxError ? refusals.accessDenied(error.message) : error;
  });
  return visitorOf(payload);
}
