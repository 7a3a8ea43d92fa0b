// POST /verify: exchanges a code, or the hash of a link's token, for a session.

import { z } from 'zod';
import type { Db } from '../database.ts';
import { AuthError, authError, errors } from '../errors.ts';
import { canonicalEmail, validPhone } from '../input/fields.ts';
import { readBody, readQuery, text } from '../input/parse.ts';
import { resolveRedirect } from '../input/redirect.ts';
import { notify } from '../mail/notices.ts';
import type { Call, Endpoint } from '../service.ts';
import {
  landingWithError,
  landingWithSession,
  withFragment,
  withQuery,
} from '../sessions/landing.ts';
import { type OpenSession, openSession, sessionObject } from '../sessions/sign-in.ts';
import { type FoundToken, isPkceToken } from '../tokens/one-time-token.ts';
import { issueCode } from '../tokens/pkce.ts';
import { listTypes, type Outcome, useToken, withCode, withLink } from '../tokens/verify-token.ts';

const Body = z.object({ type: text, token: text, token_hash: text, email: text, phone: text });
type Body = z.output<typeof Body>;

interface Used {
  opened?: OpenSession;
  left?: Outcome['left'];
}

export const OTHER_LINK_NEEDED =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email';

export const verify: Endpoint = async (call) => {
  const body = readBody(call, Body);
  const types = listTypes(body.type);
  requireOneWay(body);
  await call.limits.verification(call.address);
  const use = async (db: Db, token: FoundToken): Promise<Used> => {
    const { isHalf, left } = await useToken(db, token);
    if (isHalf) return {};
    return { opened: await openSession(db, call, token.user_id, 'otp'), left };
  };
  const { opened, left } =
    body.token_hash === ''
      ? await withCode(call, addressIn(body), body.token, types, use)
      : await withLink(call, body.token_hash, types, use);
  if (opened === undefined) return { msg: OTHER_LINK_NEEDED, code: '200' };
  if (left !== undefined) notify(call, 'email_changed', left);
  return sessionObject(call, opened);
};

/** Codes sent to a phone are verified with the phone number, those sent by mail with the address. */
function addressIn({ type, email, phone }: Body): string {
  const isPhone = type === 'sms' || type === 'phone_change';
  if (isPhone !== (phone !== '')) throw authError('wrongCode');
  return isPhone ? validPhone(phone) : canonicalEmail(email);
}

function requireOneWay({ token, token_hash: hash, email, phone }: Body): void {
  if ((token === '') === (hash === '')) {
    throw errors.invalid('Verify requires either a token or a token hash');
  }
  if (hash !== '') {
    if (email !== '' || phone !== '') {
      throw errors.invalid('Only the token_hash and type should be provided');
    }
    return;
  }
  if ((email === '') === (phone === '')) {
    throw errors.invalid('Only an email address or phone number should be provided on verify');
  }
}

// GET /verify: the link in a mail was opened. Always redirects to the site, with a session, a code or an error.
type Result = { code: string } | { opened: OpenSession } | 'half';

export const verifyLink: Endpoint = async (call) => {
  const redirectTo = resolveRedirect(call);
  const hash = readQuery(call, 'token') || readQuery(call, 'token_hash');
  const isPkce = isPkceToken(hash);
  try {
    const result = await follow(call, hash, isPkce);
    return call.reply.redirect(await destination(call, result, redirectTo, isPkce), 303);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return call.reply.redirect(landingWithError(redirectTo, error, isPkce), 303);
  }
};

async function follow(call: Call, hash: string, isPkce: boolean): Promise<Result> {
  const type = readQuery(call, 'type');
  const types = listTypes(type);
  if (hash === '') throw errors.invalid('Verify requires a token or a token hash');
  await call.limits.verification(call.address);
  const { result, left } = await withLink(call, hash, types, async (db, token) => {
    const { isHalf, left } = await useToken(db, token);
    return { result: isHalf ? ('half' as const) : await open(db, token), left };
  });
  if (left !== undefined) notify(call, 'email_changed', left);
  return result;

  async function open(db: Db, token: FoundToken): Promise<Exclude<Result, 'half'>> {
    if (!isPkce) return { opened: await openSession(db, call, token.user_id, 'otp') };
    const code = await issueCode(db, token.user_id, type);
    if (code === undefined) throw authError('wrongLink');
    return { code };
  }
}

async function destination(
  call: Call,
  result: Result,
  redirectTo: string,
  isPkce: boolean,
): Promise<string> {
  if (result === 'half') {
    const address = isPkce ? withQuery(redirectTo, { message: OTHER_LINK_NEEDED }) : redirectTo;
    return withFragment(address, { message: OTHER_LINK_NEEDED });
  }
  if ('code' in result) return withQuery(redirectTo, { code: result.code });
  const object = await sessionObject(call, result.opened);
  return landingWithSession(redirectTo, object, { type: readQuery(call, 'type') });
}
