import type { FastifyRequest } from 'fastify';
import { errors, type JWTPayload } from 'jose';
import type { Caller } from '../../database/callers.ts';
import { bearerOf } from '../../http/request.ts';
import type { Keys } from '../../keys/keys.ts';
import * as refusals from './errors/catalogue.ts';

export interface User {
  caller: Caller;
  /** Subject of the token: the user's id; undefined for the project's keys. */
  sub: string | undefined;
}

/** A verified token's payload is the same object until it expires. */
const users = new WeakMap<JWTPayload, User>();

function userOf(payload: JWTPayload): User {
  const known = users.get(payload);
  if (known !== undefined) return known;
  const role = typeof payload.role === 'string' ? payload.role : 'anon';
  // `set role none` would run as the login role.
  if (role === '' || role === 'none' || role.includes('\0')) {
    throw refusals.accessDenied(`role "${role.replaceAll('\0', '')}" does not exist`);
  }
  const user = {
    caller: { role, claims: JSON.stringify({ ...payload, role }), account: payload.sub },
    sub: payload.sub,
  };
  users.set(payload, user);
  return user;
}

/** @throws StorageError with jose's message, as in Supabase Storage */
export async function identify(request: FastifyRequest, keys: Keys): Promise<User> {
  const token = bearerOf(request) ?? '';
  const payload = await keys.verify(token).catch((error: unknown) => {
    const isToken = error instanceof errors.JOSEError || error instanceof TypeError;
    throw isToken || error instanceof SyntaxError ? refusals.accessDenied(error.message) : error;
  });
  return userOf(payload);
}
