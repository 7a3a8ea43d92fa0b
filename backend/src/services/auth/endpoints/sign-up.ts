// POST /signup: a new account with e-mail or phone and password, or an anonymous one.

import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { challengeFields } from '../input/challenge.ts';
import { metadata, readBody, text } from '../input/json.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint, Service } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { challengeOf } from '../tokens/pkce.ts';
import { accountByEmail } from '../users/account.ts';
import { createAccount } from '../users/create-account.ts';
import { validEmail } from '../users/email.ts';
import { signUpByPhone } from './sign-up-by-phone.ts';
import { signUpToConfirm } from './sign-up-to-confirm.ts';

const Body = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  channel: text,
  ...challengeFields,
});
type Body = z.output<typeof Body>;

export const signUp: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  if (!areSignupsOpen(service)) throw refusals.signupDisabled();
  await service.limits.signIn(addressOf(request));
  if (body.email === '' && body.phone === '') return signUpAnonymously(service, request, body);

  requirePassword(service, body);
  if (body.phone !== '') return signUpByPhone(service, request, body);
  const email = emailOf(service, body);
  // Like GoTrue, validate the address before the password.
  service.passwords.requireGood(body.password);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  const { password, data: userMetadata = {} } = body;
  if (service.context.settings.auth.email.enable_confirmations) {
    return signUpToConfirm(service, request, { email, password, userMetadata }, challenge);
  }
  const passwordHash = await service.passwords.hash(password);
  if (await accountByEmail(service.pool, email)) throw refusals.alreadyRegistered();
  return signIn(service, request, 'password', async (db) => {
    const id = crypto.randomUUID();
    await createAccount(db, {
      id,
      email,
      passwordHash,
      userMetadata,
      emailConfirmed: true,
    }).catch((error: unknown) => {
      const isTaken = error instanceof AuthError && error.code === 'email_exists';
      throw isTaken ? refusals.alreadyRegistered() : error;
    });
    await audit(db, request, 'user_signedup', { id, email });
    return id;
  });
};

export function areSignupsOpen({ context }: Service): boolean {
  return context.settings.auth.enable_signup;
}

async function signUpAnonymously(
  service: Service,
  request: FastifyRequest,
  body: Body,
): Promise<unknown> {
  if (!service.context.settings.auth.enable_anonymous_sign_ins) throw refusals.anonymousDisabled();
  return signIn(service, request, 'anonymous', async (db) => {
    const id = crypto.randomUUID();
    await createAccount(db, { id, userMetadata: body.data ?? {}, emailConfirmed: false });
    await audit(db, request, 'user_signedup', { id });
    return id;
  });
}

function requirePassword(service: Service, body: Body): void {
  if (body.password === '') throw refusals.invalid('Signup requires a valid password');
  service.passwords.requireLength(body.password);
  if (body.email !== '' && body.phone !== '') {
    throw refusals.invalid('Only an email address or phone number should be provided on signup.');
  }
}

/** @returns the canonical address, after GoTrue's checks in GoTrue's order */
function emailOf(service: Service, body: Body): string {
  if (!service.context.settings.auth.email.enable_signup) throw refusals.emailSignupsDisabled();
  return validEmail(body.email);
}
