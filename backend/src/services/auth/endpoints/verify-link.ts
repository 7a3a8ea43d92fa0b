// GET /verify: the link in a mail was opened. Always redirects to the site, with a session, a code or an error.

import type { FastifyRequest } from 'fastify';
import type { Db } from '../database.ts';
import { AuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { queryOf } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { notify } from '../mail/notify.ts';
import { addressOf } from '../protection/address.ts';
import type { Endpoint, Service } from '../service.ts';
import {
  landingWithError,
  landingWithSession,
  withFragment,
  withQuery,
} from '../sessions/landing.ts';
import { sessionObject } from '../sessions/session-object.ts';
import { type OpenSession, openSession } from '../sessions/sign-in.ts';
import { type FoundToken, isPkceToken } from '../tokens/one-time-token.ts';
import { issueCode } from '../tokens/pkce.ts';
import { useToken } from '../verification/use-token.ts';
import { flowOf, typesOf, withLink } from '../verification/verify-token.ts';
import { HALF } from './verify.ts';

type Result = { code: string } | { opened: OpenSession } | 'half';

export const verifyLink: Endpoint = async (service, request, reply) => {
  const redirectTo = redirectOf(service.context, request);
  const hash = queryOf(request, 'token') || queryOf(request, 'token_hash');
  const isPkce = isPkceToken(hash);
  try {
    const result = await follow(service, request, hash, isPkce);
    return reply.redirect(await destination(service, request, result, redirectTo, isPkce), 303);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return reply.redirect(landingWithError(redirectTo, error, isPkce), 303);
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
  const { result, left } = await withLink(service, hash, types, async (db, token) => {
    const { isHalf, left } = await useToken(db, token);
    return { result: isHalf ? ('half' as const) : await open(db, token), left };
  });
  if (left !== undefined) notify(service, request, 'email_changed', left);
  return result;

  async function open(db: Db, token: FoundToken): Promise<Exclude<Result, 'half'>> {
    if (!isPkce) return { opened: await openSession(db, request, token.user_id, 'otp') };
    const code = await issueCode(db, token.user_id, flowOf(type));
    if (code === undefined) throw refusals.wrongLink();
    return { code };
  }
}

async function destination(
  service: Service,
  request: FastifyRequest,
  result: Result,
  redirectTo: string,
  isPkce: boolean,
): Promise<string> {
  if (result === 'half') {
    const address = isPkce ? withQuery(redirectTo, { message: HALF }) : redirectTo;
    return withFragment(address, { message: HALF });
  }
  if ('code' in result) return withQuery(redirectTo, { code: result.code });
  const { account, session, proof } = result.opened;
  const object = await sessionObject(service.context, account, session, proof);
  return landingWithSession(redirectTo, object, { type: queryOf(request, 'type') });
}
