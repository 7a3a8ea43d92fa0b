// POST /resend: sends the confirmation of a sign-up or of a change of address again. Responds the same if there is none.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import { readBody, text } from '../input/json.ts';
import { validPhone } from '../input/phone.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestEmailChange } from '../mail/request-email-change.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { Endpoint, Service } from '../service.ts';
import { requestSms } from '../sms/request-sms.ts';
import { requirePhones } from '../sms/send-code.ts';
import { challengeFields, challengeOf } from '../tokens/pkce.ts';
import { accountByEmail, accountByPhone } from '../users/account.ts';
import { validEmail } from '../users/email.ts';

const Body = z.object({ type: text, email: text, phone: text, ...challengeFields });
const TYPES = ['signup', 'email_change', 'sms', 'phone_change'];

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
    const { rows } = await service.pool.query<{ id: string }>(
      `select id from auth.users where phone_change = $1 and deleted_at is null`,
      [phone],
    );
    for (const { id } of rows) await requestSms(service, request, 'phone_change', id, phone);
  });
  return { message_id: crypto.randomUUID() };
}

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
