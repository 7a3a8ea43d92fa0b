import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sql, transaction } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { validEmail, validPhone } from '../input/fields.ts';
import { metadata, readBody, text } from '../input/parse.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestEmailChange, requestMail } from '../mail/request-mail.ts';
import { audit } from '../protection/audit.ts';
import { addressOf } from '../protection/caller.ts';
import type { Endpoint, Service } from '../service.ts';
import { authenticate, requireAdmin } from '../sessions/authenticate.ts';
import { requestSms, requireChannel, requirePhones } from '../sms/request-sms.ts';
import { challengeFields, challengeOf } from '../tokens/pkce.ts';
import {
  type Account,
  accountByEmail,
  accountById,
  accountByPhone,
  userObject,
} from '../users/account.ts';
import {
  createAccount,
  dropUnprovedPassword,
  unconfirmedAccount,
} from '../users/create-account.ts';
import { areSignupsOpen } from './sign-up.ts';

// POST /otp and its older name /magiclink: sign-in by a link or code in a mail, or a code in a text message. Creates the
// account of a new address.
const OtpBody = z.object({
  email: text,
  phone: text,
  create_user: z.boolean().nullish(),
  data: metadata,
  channel: text,
  ...challengeFields,
});

export const otp: Endpoint = async (service, request) => {
  const body = readBody(request, OtpBody);
  if (body.email !== '' && body.phone !== '') {
    throw errors.invalid('Only an email address or phone number should be provided');
  }
  if (body.email !== '' && body.channel !== '') {
    throw errors.invalid('Channel should only be specified with Phone OTP');
  }
  if (body.phone !== '') {
    requireChannel(body.channel);
    return otpByPhone(service, request, validPhone(body.phone), body);
  }
  if (body.email === '') throw errors.invalid('One of email or phone must be set');
  const email = validEmail(body.email);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  await service.limits.signIn(addressOf(request));

  const known = await accountByEmail(service.pool, email);
  const mayCreate = body.create_user !== false && areSignupsOpen(service);
  if (known === undefined && !mayCreate) throw authError('otpDisabled');
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
  if (known === undefined && !mayCreate) throw authError('otpDisabled');
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

// POST /recover: mails a link for a new password. Unknown addresses get the same response in the same time.
const RecoverBody = z.object({ email: text, ...challengeFields });

export const recover: Endpoint = async (service, request) => {
  const body = readBody(request, RecoverBody);
  if (body.email === '') throw errors.invalid('Password recovery requires an email');
  const email = validEmail(body.email);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  await service.limits.mail('recovery', email);
  const redirectTo = redirectOf(service.context, request);
  service.later(request, async () => {
    const account = await accountByEmail(service.pool, email);
    if (account === undefined) return;
    await requestMail(service, request, 'recovery', account, redirectTo, challenge);
  });
  return {};
};

// POST /resend: sends the confirmation of a sign-up or of a change of address again. Responds the same if there is none.
const ResendBody = z.object({ type: text, email: text, phone: text, ...challengeFields });
const RESENT_TYPES = ['signup', 'email_change', 'sms', 'phone_change'];

async function resendSms(
  service: Service,
  request: FastifyRequest,
  type: string,
  phone: string,
): Promise<{ message_id: string }> {
  requirePhones(service, phone);
  await service.limits.sms('resend', phone);
  service.later(request, async () => {
    if (type === 'sms') {
      const account = await accountByPhone(service.pool, phone);
      if (account === undefined || account.phone_confirmed_at !== null) return;
      return requestSms(service, request, 'sms', account.id, phone);
    }
    const { rows } = await service.pool.query<{ id: string }>(sql`
      select id from auth.users where phone_change = ${phone} and deleted_at is null`);
    for (const { id } of rows) await requestSms(service, request, 'phone_change', id, phone);
  });
  return { message_id: crypto.randomUUID() };
}

export const resend: Endpoint = async (service, request) => {
  const { type, phone, ...body } = readBody(request, ResendBody);
  if (!RESENT_TYPES.includes(type)) {
    throw errors.invalid(`Missing one of these types: ${RESENT_TYPES.join(', ')}`);
  }
  if (body.email === '' && phone === '') {
    throw errors.invalid('Missing email address or phone number');
  }
  const isMail = type === 'signup' || type === 'email_change';
  if (isMail && body.email === '') {
    throw errors.invalid('Type provided requires an email address');
  }
  if (!isMail && phone === '') throw errors.invalid('Type provided requires a phone number');
  if (!isMail) return resendSms(service, request, type, validPhone(phone));
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

// GET /reauthenticate: sends a code to the caller's own address, which a password change may require.
async function reauthenticateByPhone(
  service: Service,
  request: FastifyRequest,
  { id, phone, phone_confirmed_at: confirmedAt }: Account,
): Promise<unknown> {
  if (confirmedAt === null) throw authError('verifyPhoneFirst');
  requirePhones(service, phone);
  await service.limits.sms('reauthentication', phone);
  await requestSms(service, request, 'reauthentication', id, phone);
  return {};
}

export const reauthenticate: Endpoint = async (service, request) => {
  const { account } = await authenticate(service, request);
  if (account.email === '') {
    if (account.phone !== '') return reauthenticateByPhone(service, request, account);
    throw errors.invalid('Reauthentication requires the user to have an email or a phone number');
  }
  if (account.email_confirmed_at === null) throw authError('verifyEmailFirst');
  await service.limits.mail('reauthentication', account.email);
  service.later(request, () => requestMail(service, request, 'reauthentication', account, ''));
  return {};
};

// POST /invite: creates an account that its owner confirms by mail. Needs the service key.
const InviteBody = z.object({ email: text, data: metadata });

export const invite: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const body = readBody(request, InviteBody);
  const email = validEmail(body.email);
  const userMetadata = body.data ?? {};
  const id = await unconfirmedAccount(service, { email, userMetadata, isByAdmin: true });
  await requestMail(
    service,
    request,
    'invite',
    { id, email },
    redirectOf(service.context, request),
  );
  const account = await accountById(service.pool, id);
  if (account === undefined) throw authError('noSuchUser');
  return userObject(account);
};
