// POST /signup: a new account with e-mail and password, or an anonymous one (PROTOCOL.md 1.6).
import { z } from 'zod';
import { AuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { metadata, readBody, text } from '../input/json.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint, Service } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { accountByEmail } from '../users/account.ts';
import { createAccount } from '../users/create-account.ts';
import { validEmail } from '../users/email.ts';

const Body = z.object({ email: text, phone: text, password: text, data: metadata });
type Body = z.output<typeof Body>;

export const signUp: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  requireSignupsOpen(service);
  await service.limits.signIn(request.ip);
  const isAnonymous = body.email === '' && body.phone === '';
  if (isAnonymous && !service.context.settings.auth.enable_anonymous_sign_ins) {
    throw refusals.anonymousDisabled();
  }
  const email = isAnonymous ? undefined : emailOf(service, body);
  if (email !== undefined && (await accountByEmail(service.pool, email))) {
    throw refusals.alreadyRegistered();
  }
  const passwordHash = isAnonymous ? undefined : await service.passwords.hash(body.password);
  const id = crypto.randomUUID();
  return signIn(service, request, id, isAnonymous ? 'anonymous' : 'password', async (db) => {
    const userMetadata = body.data ?? {};
    const account = { id, email, passwordHash, userMetadata, emailConfirmed: true };
    await createAccount(db, account).catch((error: unknown) => {
      const isTaken = error instanceof AuthError && error.code === 'email_exists';
      throw isTaken ? refusals.alreadyRegistered() : error;
    });
    await audit(db, request, 'user_signedup', { id, email });
  });
};

function requireSignupsOpen({ context }: Service): void {
  if (context.config.signupPolicy === 'closed' || !context.settings.auth.enable_signup) {
    throw refusals.signupDisabled();
  }
}

/** @returns the canonical address, after everything that GoTrue checks in its order */
function emailOf(service: Service, body: Body): string {
  if (body.password === '') throw refusals.invalid('Signup requires a valid password');
  service.passwords.requireGood(body.password);
  if (body.email !== '' && body.phone !== '') {
    throw refusals.invalid('Only an email address or phone number should be provided on signup.');
  }
  if (body.phone !== '') throw refusals.phoneSignupsDisabled();
  if (!service.context.settings.auth.email.enable_signup) throw refusals.emailSignupsDisabled();
  return validEmail(body.email);
}
