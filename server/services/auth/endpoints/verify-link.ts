// GET /verify: a click on a link in a mail. Always leads back to the site, with a session, a code or an error.

import type { FastifyRequest } from 'fastify';
import type { Db } from '../database.ts';
import { AuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { queryOf } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import type { Endpoint, Service } from '../service.ts';
import { sessionObject } from '../sessions/session-object.ts';
import { type OpenSession, openSession } from '../sessions/sign-in.ts';
import { type FoundToken, isPkceToken } from '../tokens/one-time-token.ts';
import { issueCode } from '../tokens/pkce.ts';
import { useToken } from '../verification/use-token.ts';
import { flowOf, typesOf, withLink } from '../verification/verify-token.ts';
import { HALF } from './verify.ts';

const OAUTH_NAMES: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
};

type Result = { code: string } | { opened: OpenSession } | 'half';

export const verifyLink: Endpoint = async (service, request, reply) => {
  const redirectTo = redirectOf(service.context, request);
  const hash = queryOf(request, 'token') || queryOf(request, 'token_hash');
  const isPkce = isPkceToken(hash);
  reply.header('cache-control', 'no-store');
  try {
    const result = await follow(service, request, hash, isPkce);
    return reply.redirect(await destination(service, request, result, redirectTo, isPkce), 303);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return reply.redirect(failure(redirectTo, error, isPkce), 303);
  }
};

async function follow(
  service: Service,
  request: FastifyRequest,
  hash: string,
  isPkce: boolean,
): Promise<Result> {
  const type = queryOf(request, 'type');
  const types = typesOf(type);
  if (hash === '') throw refusals.invalid('Verify requires a token or a token hash');
  await service.limits.verification(addressOf(request));
  return withLink(service, hash, types, async (db: Db, token: FoundToken): Promise<Result> => {
    if ((await useToken(db, token)) === 'half') return 'half';
    if (!isPkce) return { opened: await openSession(db, request, token.user_id, 'otp') };
    const code = await issueCode(db, token.user_id, flowOf(type));
    if (code === undefined) throw refusals.wrongLink();
    return { code };
  });
}

function withFragment(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  url.hash = new URLSearchParams(sorted).toString();
  return url.href;
}

async function destination(
  service: Service,
  request: FastifyRequest,
  result: Result,
  redirectTo: string,
  isPkce: boolean,
): Promise<string> {
  const url = new URL(redirectTo);
  if (result === 'half') {
    if (isPkce) url.searchParams.set('message', HALF);
    return withFragment(url.href, { message: HALF, sb: '' });
  }
  if ('code' in result) {
    url.searchParams.set('code', result.code);
    return url.href;
  }
  const { account, session, proof } = result.opened;
  const object = await sessionObject(service.context, account, session, proof);
  const fields = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'];
  const values = Object.fromEntries(fields.map((field) => [field, String(object[field])]));
  return withFragment(url.href, { ...values, sb: '', type: queryOf(request, 'type') });
}

function failure(
  redirectTo: string,
  { status, code, message }: AuthError,
  isPkce: boolean,
): string {
  const name = OAUTH_NAMES[status];
  const values = {
    ...(name === undefined ? {} : { error: name }),
    error_code: code,
    error_description: message,
  };
  const url = new URL(redirectTo);
  if (isPkce) for (const [key, value] of Object.entries(values)) url.searchParams.set(key, value);
  return withFragment(url.href, { ...values, sb: '' });
}
