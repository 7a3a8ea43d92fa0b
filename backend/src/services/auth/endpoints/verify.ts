// POST /verify: exchanges a code, or the hash of a link's token, for a session.

import { z } from 'zod';
import type { Db } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { readBody, text } from '../input/json.ts';
import { validPhone } from '../input/phone.ts';
import { notify } from '../mail/notify.ts';
import { addressOf } from '../protection/address.ts';
import type { Endpoint } from '../service.ts';
import { sessionObject } from '../sessions/session-object.ts';
import { type OpenSession, openSession } from '../sessions/sign-in.ts';
import type { FoundToken } from '../tokens/one-time-token.ts';
import { canonicalEmail } from '../users/email.ts';
import { type Outcome, useToken } from '../verification/use-token.ts';
import { typesOf, withCode, withLink } from '../verification/verify-token.ts';

const Body = z.object({ type: text, token: text, token_hash: text, email: text, phone: text });
type Body = z.output<typeof Body>;

interface Used {
  opened?: OpenSession;
  left?: Outcome['left'];
}

export const HALF =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email';

export const verify: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  const types = typesOf(body.type);
  requireOneWay(body);
  await service.limits.verification(addressOf(request));
  const use = async (db: Db, token: FoundToken): Promise<Used> => {
    const { isHalf, left } = await useToken(db, token);
    if (isHalf) return {};
    return { opened: await openSession(db, request, token.user_id, 'otp'), left };
  };
  const { opened, left } =
    body.token_hash === ''
      ? await withCode(service, request, addressIn(body), body.token, types, use)
      : await withLink(service, body.token_hash, types, use);
  if (opened === undefined) return { msg: HALF, code: '200' };
  if (left !== undefined) notify(service, request, 'email_changed', left);
  return sessionObject(service.context, opened.account, opened.session, opened.proof);
};

/** Codes sent to a phone are verified with the phone number, those sent by mail with the address. */
function addressIn({ type, email, phone }: Body): string {
  const isPhone = type === 'sms' || type === 'phone_change';
  if (isPhone !== (phone !== '')) throw refusals.wrongCode();
  return isPhone ? validPhone(phone) : canonicalEmail(email);
}

function requireOneWay({ token, token_hash: hash, email, phone }: Body): void {
  if ((token === '') === (hash === '')) {
    throw refusals.invalid('Verify requires either a token or a token hash');
  }
  if (hash !== '') {
    if (email !== '' || phone !== '') {
      throw refusals.invalid('Only the token_hash and type should be provided');
    }
    return;
  }
  if ((email === '') === (phone === '')) {
    throw refusals.invalid('Only an email address or phone number should be provided on verify');
  }
}
