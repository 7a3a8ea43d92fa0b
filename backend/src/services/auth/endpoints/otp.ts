import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { metadata, readBody, text } from '../input/json.ts';
import { validPhone } from '../input/phone.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestMail } from '../mail/request-mail.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint, Service } from '../service.ts';
import { requestSms } from '../sms/request-sms.ts';
import { requireChannel, requirePhones } from '../sms/send-code.ts';
import { challengeFields, challengeOf } from '../tokens/pkce.ts';
import { accountByEmail, accountByPhone } from '../users/account.ts';
import { createAccount } from '../users/create-account.ts';
import { validEmail } from '../users/email.ts';
import { dropUnprovedPassword } from '../users/unconfirmed-account.ts';
import { areSignupsOpen } from './sign-up.ts';

// POST /otp and its older name /magiclink: sign-in by a link or code in a mail, or a code in a text message. Creates the
// account of a new address.
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

interface Wanted {
  create_user?: boolean | null | undefined;
  data?: Record<string, unknown> | undefined;
}

/** @param phone E.164 digits; @returns a made-up message id, as GoTrue does without a carrier's */
async function otpByPhone(
  service: Service,
  request: FastifyRequest,
  phone: string,
  { create_user: wantsAccount, data }: Wanted,
): Promise<{ message_id: string }> {
  requirePhones(service, phone);
  await service.limits.signIn(addressOf(request));
  const known = await accountByPhone(service.pool, phone);
  const mayCreate = wantsAccount !== false && areSignupsOpen(service);
  if (known === undefined && !mayCreate) throw refusals.otpDisabled();
  await service.limits.sms('otp', phone);
  const id = known?.id ?? crypto.randomUUID();
  if (known === undefined) {
    await transaction(service.pool, async (db) => {
      await createAccount(db, { id, phone, userMetadata: data ?? {}, emailConfirmed: false });
      await audit(db, request, 'user_signedup', { id });
    });
  } else {
    await dropUnprovedPassword(service.pool, id);
  }
  await requestSms(service, request, 'sms', id, phone);
  return { message_id: crypto.randomUUID() };
}
