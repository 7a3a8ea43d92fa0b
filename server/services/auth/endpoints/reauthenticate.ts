// GET /reauthenticate: a code to the account's own address, which a password change may ask for.
import { refusals } from '../errors/catalogue.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { Endpoint } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';

export const reauthenticate: Endpoint = async (service, request) => {
  const { account } = await authenticate(service, request);
  if (account.email === '') {
    if (account.phone !== '') throw refusals.phoneUnsupported();
    throw refusals.invalid('Reauthentication requires the user to have an email or a phone number');
  }
  if (account.email_confirmed_at === null) throw refusals.verifyEmailFirst();
  await service.limits.mail('reauthentication', account.email);
  service.later(request, () => requestMail(service, request, 'reauthentication', account, ''));
  return {};
};
