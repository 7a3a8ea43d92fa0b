// Sign-in with e-mail and password. An unknown account is answered like a wrong password, after the same work.

import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import { readBody, text } from '../input/json.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { accountByEmail } from '../users/account.ts';
import { canonicalEmail } from '../users/email.ts';

const Body = z.object({ email: text, phone: text, password: text });

export const passwordGrant: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  if (body.email !== '' && body.phone !== '') {
    throw refusals.invalid('Only an email address or phone number should be provided on login.');
  }
  if (body.phone !== '') throw refusals.phoneLoginsDisabled();
  if (body.email === '') throw refusals.invalid('missing email or phone');
  if (!service.context.settings.auth.email.enable_signup) throw refusals.emailLoginsDisabled();

  const email = canonicalEmail(body.email);
  await service.limits.signIn(addressOf(request));
  await service.limits.passwords.requireOpen(email);
  const account = await accountByEmail(service.pool, email);
  const isRight = await service.passwords.matches(body.password, account?.password_hash ?? null);
  if (account === undefined || !isRight) {
    const actor = { id: account?.id, email: account?.email };
    await audit(service.pool, request, 'login_failed', actor);
    await service.limits.passwords.wrong(email);
    throw refusals.wrongCredentials();
  }
  // Asked again: of many guesses sent at once, the right one must not slip through after too many wrong ones.
  await service.limits.passwords.requireOpen(email);
  if (account.is_banned) throw refusals.banned(400);
  if (account.email_confirmed_at === null) throw refusals.emailNotConfirmed();

  const session = await signIn(service, request, 'password', async () => account.id);
  await service.limits.passwords.right(email);
  const weak = service.passwords.weakness(body.password);
  return weak === undefined ? session : { ...session, weak_password: weak };
};
