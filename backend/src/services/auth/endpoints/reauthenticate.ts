// GET /reauthenticate: sends a code to the caller's own address, which a password change may require.
import type { FastifyRequest } from 'fastify';
import { refusals } from '../errors/catalogue.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { Endpoint, Service } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { requestSms } from '../sms/request-sms.ts';
import { requirePhones } from '../sms/send-code.ts';
import type { Account } from '../users/account.ts';

async function byPhone(
  service: Service,
  request: FastifyRequest,
  { id, phone, phone_confirmed_at: confirmedAt }: Account,
): Promise<unknown> {
  if (confirmedAt === null) throw refusals.verifyPhoneFirst();
  requirePhones(service, phone);
  await service.limits.sms('reauthentication', phone);
  await requestSms(service, request, 'reauthentication', id, phone);
  return {};
}

export const reauthenticate: Endpoint = async (service, request) => {
  const { account } = await authenticate(service, request);
  if (account.email === '') {
    if (account.phone !== '') return byPhone(service, request, account);
    throw refusals.invalid('Reauthentication requires the user to have an email or a phone number');
  }
  if (account.email_confirmed_at === null) throw refusals.verifyEmailFirst();
  await service.limits.mail('reauthentication', account.email);
  service.later(request, () => requestMail(service, request, 'reauthentication', account, ''));
  return {};
};
