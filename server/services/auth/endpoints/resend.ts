// POST /resend: the confirmation of a sign-up or of an e-mail change once more. Nothing to send is answered alike.
import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import { challengeFields } from '../input/challenge.ts';
import { readBody, text } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestEmailChange } from '../mail/request-email-change.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { Endpoint } from '../service.ts';
import { challengeOf } from '../tokens/pkce.ts';
import { accountByEmail } from '../users/account.ts';
import { validEmail } from '../users/email.ts';

const Body = z.object({ type: text, email: text, phone: text, ...challengeFields });
const TYPES = ['signup', 'email_change', 'sms', 'phone_change'];

export const resend: Endpoint = async (service, request) => {
  const { type, phone, ...body } = readBody(request, Body);
  if (!TYPES.includes(type)) {
    throw refusals.invalid(`Missing one of these types: ${TYPES.join(', ')}`);
  }
  if (body.email === '' && phone === '') {
    throw refusals.invalid('Missing email address or phone number');
  }
  const isMail = type === 'signup' || type === 'email_change';
  if (isMail && body.email === '') {
    throw refusals.invalid('Type provided requires an email address');
  }
  if (!isMail && phone === '') throw refusals.invalid('Type provided requires a phone number');
  if (!isMail) throw refusals.phoneUnsupported();
  const email = validEmail(body.email);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  await service.limits.mail('resend', email);
  const redirectTo = redirectOf(service.context, request);
  service.later(request, async () => {
    const account = await accountByEmail(service.pool, email);
    if (account === undefined) return;
    if (type === 'signup' && account.email_confirmed_at === null) {
      await requestMail(service, request, 'signup', account, redirectTo, challenge);
    }
    if (type === 'email_change' && account.new_email !== '') {
      const { new_email: newEmail } = account;
      await requestEmailChange(service, request, account, newEmail, redirectTo, challenge);
    }
  });
  return {};
};
