// POST /otp and its older name /magiclink: sign-in by a link or code in a mail, or a code in a text message. Creates the
// account of a new address.

import { z } from 'zod';
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { challengeFields } from '../input/challenge.ts';
import { metadata, readBody, text } from '../input/json.ts';
import { validPhone } from '../input/phone.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestMail } from '../mail/request-mail.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint } from '../service.ts';
import { requireChannel } from '../sms/send-code.ts';
import { challengeOf } from '../tokens/pkce.ts';
import { accountByEmail } from '../users/account.ts';
import { createAccount } from '../users/create-account.ts';
import { validEmail } from '../users/email.ts';
import { otpByPhone } from './otp-by-phone.ts';
import { areSignupsOpen } from './sign-up.ts';

const Body = z.object({
  email: text,
  phone: text,
  create_user: z.boolean().nullish(),
  data: metadata,
  channel: text,
  ...challengeFields,
});

export const otp: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  if (body.email !== '' && body.phone !== '') {
    throw refusals.invalid('Only an email address or phone number should be provided');
  }
  if (body.email !== '' && body.channel !== '') {
    throw refusals.invalid('Channel should only be specified with Phone OTP');
  }
  if (body.phone !== '') {
    requireChannel(body.channel);
    return otpByPhone(service, request, validPhone(body.phone), body);
  }
  if (body.email === '') throw refusals.invalid('One of email or phone must be set');
  const email = validEmail(body.email);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  await service.limits.signIn(addressOf(request));

  const known = await accountByEmail(service.pool, email);
  const mayCreate = body.create_user !== false && areSignupsOpen(service);
  if (known === undefined && !mayCreate) throw refusals.otpDisabled();
  await service.limits.mail('magiclink', email);
  const redirectTo = redirectOf(service.context, request);
  service.later(request, async () => {
    if (known !== undefined) {
      return requestMail(service, request, 'magiclink', known, redirectTo, challenge);
    }
    const id = crypto.randomUUID();
    await transaction(service.pool, async (db) => {
      await createAccount(db, { id, email, userMetadata: body.data ?? {}, emailConfirmed: false });
      await audit(db, request, 'user_signedup', { id, email });
    });
    await requestMail(service, request, 'signup', { id, email }, redirectTo, challenge);
  });
  return {};
};
