// grant_type=password. An unknown account gets the response of a wrong password, after the same amount of work.

import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import { readBody, text } from '../input/json.ts';
import { validPhone } from '../input/phone.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import { guesserOf } from '../protection/guesser.ts';
import type { Endpoint } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { accountByEmail, accountByPhone } from '../users/account.ts';
import { canonicalEmail } from '../users/email.ts';

const Body = z.object({ email: text, phone: text, password: text });

export const passwordGrant: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  if (body.email !== '' && body.phone !== '') {
    throw refusals.invalid('Only an email address or phone number should be provided on login.');
  }
  const { email: mails, sms } = service.context.settings.auth;
  const isPhone = body.phone !== '';
  if (!isPhone && body.email === '') throw refusals.invalid('missing email or phone');
  if (isPhone && !sms.enable_signup) throw refusals.phoneLoginsDisabled();
  if (!isPhone && !mails.enable_signup) throw refusals.emailLoginsDisabled();

  const address = isPhone ? validPhone(body.phone) : canonicalEmail(body.email);
  await service.limits.signIn(addressOf(request));
  const guesser = await guesserOf(service.pool, request, address);
  await service.limits.passwords.requireOpen(guesser);
  const find = isPhone ? accountByPhone : accountByEmail;
  const account = await find(service.pool, address);
  const isRight = await service.passwords.matches(body.password, account?.password_hash ?? null);
  if (account === undefined || !isRight) {
    const actor = { id: account?.id, email: account?.email };
    await audit(service.pool, request, 'login_failed', actor);
    await service.limits.passwords.wrong(guesser);
    throw refusals.wrongCredentials();
  }
  // Checked again: of many concurrent guesses, the right one must not succeed after too many wrong ones.
  await service.limits.passwords.requireOpen(guesser);
  if (account.is_banned) throw refusals.banned(400);
  if (isPhone && account.phone_confirmed_at === null) throw refusals.phoneNotConfirmed();
  if (!isPhone && account.email_confirmed_at === null) throw refusals.emailNotConfirmed();

  const session = await signIn(service, request, 'password', async () => account.id);
  await service.limits.passwords.right(guesser);
  const weak = service.passwords.weakness(body.password);
  return weak === undefined ? session : { ...session, weak_password: weak };
};
