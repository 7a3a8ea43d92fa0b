import { z } from 'zod';
import { sql, transaction } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { validEmail, validPhone } from '../input/fields.ts';
import { metadata, readBody, text } from '../input/parse.ts';
import { resolveRedirect } from '../input/redirect.ts';
import { requestEmailChange, requestMail } from '../mail/request-mail.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { requestSms, requireChannel, requirePhones } from '../sms/request-sms.ts';
import { challengeFields, readChallenge } from '../tokens/pkce.ts';
import {
  type Account,
  accountByEmail,
  accountByPhone,
  requireAccount,
  userObject,
} from '../users/account.ts';
import { dropUnprovedPassword, register, unconfirmedAccount } from '../users/create-account.ts';
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

export const otp: Endpoint = async (call) => {
  const body = readBody(call, OtpBody);
  if (body.email !== '' && body.phone !== '') {
    throw errors.invalid('Only an email address or phone number should be provided');
  }
  if (body.email !== '' && body.channel !== '') {
    throw errors.invalid('Channel should only be specified with Phone OTP');
  }
  if (body.phone !== '') {
    requireChannel(body.channel);
    return otpByPhone(call, validPhone(body.phone), body);
  }
  if (body.email === '') throw errors.invalid('One of email or phone must be set');
  const email = validEmail(body.email);
  const challenge = readChallenge(body);
  await call.limits.signIn(call.address);

  const known = await accountByEmail(call.pool, email);
  requireKnownOrOpen(call, known, body);
  await call.limits.mail('magiclink', email);
  const redirectTo = resolveRedirect(call);
  call.later(async () => {
    if (known !== undefined) return requestMail(call, 'magiclink', known, redirectTo, challenge);
    const account = { email, userMetadata: body.data ?? {} };
    const id = await transaction(call.pool, (db) => register(db, call, account));
    await requestMail(call, 'signup', { id, email }, redirectTo, challenge);
  });
  return {};
};

/** @param phone E.164 digits; @returns a made-up message id, as GoTrue does without a carrier's */
async function otpByPhone(
  call: Call,
  phone: string,
  body: z.output<typeof OtpBody>,
): Promise<{ message_id: string }> {
  requirePhones(call, phone);
  await call.limits.signIn(call.address);
  const known = await accountByPhone(call.pool, phone);
  requireKnownOrOpen(call, known, body);
  await call.limits.sms('otp', phone);
  const account = { phone, userMetadata: body.data ?? {} };
  const id = known?.id ?? (await transaction(call.pool, (db) => register(db, call, account)));
  if (known !== undefined) await dropUnprovedPassword(call.pool, id);
  await requestSms(call, 'signup', id, phone);
  return { message_id: crypto.randomUUID() };
}

/** @throws AuthError unless there is an account, or one may be created */
function requireKnownOrOpen(
  service: Service,
  known: Account | undefined,
  { create_user: mayCreate }: z.output<typeof OtpBody>,
): void {
  if (known !== undefined || (mayCreate !== false && areSignupsOpen(service))) return;
  throw authError('otpDisabled');
}

// POST /recover: mails a link for a new password. Unknown addresses get the same response in the same time.
const RecoverBody = z.object({ email: text, ...challengeFields });

export const recover: Endpoint = async (call) => {
  const body = readBody(call, RecoverBody);
  if (body.email === '') throw errors.invalid('Password recovery requires an email');
  const email = validEmail(body.email);
  const challenge = readChallenge(body);
  await call.limits.mail('recovery', email);
  const redirectTo = resolveRedirect(call);
  call.later(async () => {
    const account = await accountByEmail(call.pool, email);
    if (account) await requestMail(call, 'recovery', account, redirectTo, challenge);
  });
  return {};
};

// POST /resend: sends the confirmation of a sign-up or of a change of address again. Responds the same if there is none.
const ResendBody = z.object({ type: text, email: text, phone: text, ...challengeFields });
const RESENT_TYPES = ['signup', 'email_change', 'sms', 'phone_change'];

async function resendSms(call: Call, type: string, phone: string): Promise<{ message_id: string }> {
  requirePhones(call, phone);
  await call.limits.sms('resend', phone);
  call.later(async () => {
    if (type === 'sms') {
      const account = await accountByPhone(call.pool, phone);
      if (account === undefined || account.phone_confirmed_at !== null) return;
      return requestSms(call, 'signup', account.id, phone);
    }
    const { rows } = await call.pool.query<{ id: string }>(sql`
      select id from auth.users where phone_change = ${phone} and deleted_at is null`);
    for (const { id } of rows) await requestSms(call, 'phone_change', id, phone);
  });
  return { message_id: crypto.randomUUID() };
}

export const resend: Endpoint = async (call) => {
  const { type, phone, ...body } = readBody(call, ResendBody);
  if (!RESENT_TYPES.includes(type)) {
    throw errors.invalid(`Missing one of these types: ${RESENT_TYPES.join(', ')}`);
  }
  if (body.email === '' && phone === '') {
    throw errors.invalid('Missing email address or phone number');
  }
  const isMail = type === 'signup' || type === 'email_change';
  if (isMail && body.email === '') throw errors.invalid('Type provided requires an email address');
  if (!isMail && phone === '') throw errors.invalid('Type provided requires a phone number');
  if (!isMail) return resendSms(call, type, validPhone(phone));
  const email = validEmail(body.email);
  const challenge = readChallenge(body);
  await call.limits.mail('resend', email);
  const redirectTo = resolveRedirect(call);
  call.later(async () => {
    const account = await accountByEmail(call.pool, email);
    if (account === undefined) return;
    if (type === 'signup' && account.email_confirmed_at === null) {
      await requestMail(call, 'signup', account, redirectTo, challenge);
    }
    if (type === 'email_change' && account.new_email !== '') {
      const { new_email: newEmail } = account;
      await requestEmailChange(call, account, newEmail, redirectTo, challenge);
    }
  });
  return {};
};

// GET /reauthenticate: sends a code to the caller's own address, which a password change may require.
async function reauthenticateByPhone(
  call: Call,
  { id, phone, phone_confirmed_at: confirmedAt }: Account,
): Promise<unknown> {
  if (confirmedAt === null) throw authError('verifyPhoneFirst');
  requirePhones(call, phone);
  await call.limits.sms('reauthentication', phone);
  await requestSms(call, 'reauthentication', id, phone);
  return {};
}

export const reauthenticate: Endpoint = async (call) => {
  const { account } = await authenticate(call);
  if (account.email === '') {
    if (account.phone !== '') return reauthenticateByPhone(call, account);
    throw errors.invalid('Reauthentication requires the user to have an email or a phone number');
  }
  if (account.email_confirmed_at === null) throw authError('verifyEmailFirst');
  await call.limits.mail('reauthentication', account.email);
  call.later(() => requestMail(call, 'reauthentication', account, ''));
  return {};
};

// POST /invite: creates an account that its owner confirms by mail. Needs the service key.
const InviteBody = z.object({ email: text, data: metadata });

export const invite: Endpoint = async (call) => {
  const body = readBody(call, InviteBody);
  const email = validEmail(body.email);
  const userMetadata = body.data ?? {};
  const id = await unconfirmedAccount(call, { email, userMetadata, isByAdmin: true });
  await requestMail(call, 'invite', { id, email }, resolveRedirect(call));
  return userObject(await requireAccount(call.pool, id, 'noSuchUser'));
};
