import { z } from 'zod';
import { type Db, transaction } from '../database.ts';
import { AuthError, authError, errors } from '../errors.ts';
import { validEmail, validPhone } from '../input/fields.ts';
import { metadata, readBody, text } from '../input/parse.ts';
import { resolveRedirect } from '../input/redirect.ts';
import { requestMail } from '../mail/request-mail.ts';
import { audit } from '../protection/audit.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { requestSms, requireChannel, requirePhones } from '../sms/request-sms.ts';
import { type Challenge, challengeFields, readChallenge } from '../tokens/pkce.ts';
import {
  accountByEmail,
  accountById,
  accountByPhone,
  requireAccount,
  userObject,
} from '../users/account.ts';
import {
  dropUnprovedPassword,
  type Newcomer,
  register,
  unconfirmedAccount,
} from '../users/create-account.ts';

// POST /signup: a new account with e-mail or phone and password, or an anonymous one.
const Body = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  channel: text,
  ...challengeFields,
});
type Body = z.output<typeof Body>;

export const signUp: Endpoint = async (call) => {
  const body = readBody(call, Body);
  if (!areSignupsOpen(call)) throw authError('signupDisabled');
  await call.limits.signIn(call.address);
  if (body.email === '' && body.phone === '') return signUpAnonymously(call, body);

  requirePassword(call, body);
  if (body.phone !== '') return signUpByPhone(call, body);
  const email = emailOf(call, body);
  // Like GoTrue, validate the address before the password.
  call.passwords.requireGood(body.password);
  const challenge = readChallenge(body);
  const { password, data: userMetadata = {} } = body;
  if (call.context.settings.auth.email.enable_confirmations) {
    return signUpToConfirm(call, { email, password, userMetadata }, challenge);
  }
  const passwordHash = await call.passwords.hash(password);
  if (await accountByEmail(call.pool, email)) throw authError('alreadyRegistered');
  const account = { email, passwordHash, userMetadata, emailConfirmed: true };
  return signIn(call, 'password', (db) => register(db, call, account).catch(asRegistered));
};

/** A concurrent request took the address. */
function asRegistered(error: unknown): never {
  const codes = ['email_exists', 'phone_exists'];
  const isTaken = error instanceof AuthError && codes.includes(error.code);
  throw isTaken ? authError('alreadyRegistered') : error;
}

export function areSignupsOpen({ context }: Service): boolean {
  return context.settings.auth.enable_signup;
}

async function signUpAnonymously(call: Call, body: Body): Promise<unknown> {
  if (!call.context.settings.auth.enable_anonymous_sign_ins) throw authError('anonymousDisabled');
  return signIn(call, 'anonymous', (db) => register(db, call, { userMetadata: body.data ?? {} }));
}

function requirePassword(service: Service, body: Body): void {
  if (body.password === '') throw errors.invalid('Signup requires a valid password');
  service.passwords.requireLength(body.password);
  if (body.email !== '' && body.phone !== '') {
    throw errors.invalid('Only an email address or phone number should be provided on signup.');
  }
}

/** @returns the canonical address, after GoTrue's checks in GoTrue's order */
function emailOf(service: Service, body: Body): string {
  if (!service.context.settings.auth.email.enable_signup) throw authError('emailSignupsDisabled');
  return validEmail(body.email);
}

/** A session at once, or a code first if numbers must be confirmed. */
async function signUpByPhone(call: Call, body: Body): Promise<unknown> {
  const { enable_signup: isOn, enable_confirmations: confirms } = call.context.settings.auth.sms;
  if (!isOn) throw authError('phoneSignupsDisabled');
  if (body.code_challenge !== '') throw errors.invalid('PKCE not supported for phone signups');
  requireChannel(body.channel);
  const phone = validPhone(body.phone);
  if (confirms) requirePhones(call, phone);
  call.passwords.requireGood(body.password);
  const passwordHash = await call.passwords.hash(body.password);
  const known = await accountByPhone(call.pool, phone);
  if (known !== undefined && (known.phone_confirmed_at !== null || !confirms)) {
    throw authError('alreadyRegistered');
  }
  const userMetadata = body.data ?? {};
  const account = { id: known?.id, phone, passwordHash, userMetadata, phoneConfirmed: !confirms };
  const create = (db: Db) => register(db, call, account).catch(asRegistered);
  if (!confirms) return signIn(call, 'password', create);
  await call.limits.sms('signup', phone);
  const id = known?.id ?? (await transaction(call.pool, create));
  if (known && !(await call.passwords.matches(body.password, known.password_hash))) {
    await dropUnprovedPassword(call.pool, id);
  }
  await requestSms(call, 'signup', id, phone);
  return userObject(await requireAccount(call.pool, id, 'noSuchUser'));
}

// Sign-up when addresses must be confirmed: no session yet, and no hint whether an address has an account.

/**
 * @returns the new account. For an address that has one already, a made-up account that is stored nowhere, so that the
 *   response does not tell which addresses are known (as GoTrue does).
 */
async function signUpToConfirm(
  call: Call,
  newcomer: Newcomer,
  challenge: Challenge | undefined,
): Promise<Record<string, unknown>> {
  const { email, userMetadata } = newcomer;
  await call.limits.mail('signup', email);
  const redirectTo = resolveRedirect(call);
  const id = await unconfirmedAccount(call, newcomer).catch((error: unknown) => {
    if (error instanceof AuthError && error.code === 'email_exists') return undefined;
    throw error;
  });
  const sentAt = call.context.now().toISOString();
  const account = await accountById(call.pool, id ?? crypto.randomUUID());
  if (account === undefined) {
    await audit(call.pool, call, 'user_repeated_signup', { email });
    return madeUp(email, userMetadata, sentAt);
  }
  await audit(call.pool, call, 'user_signedup', account);
  call.later(() => requestMail(call, 'signup', account, redirectTo, challenge));
  return userObject({ ...account, confirmation_sent_at: sentAt });
}

function madeUp(
  email: string,
  userMetadata: Record<string, unknown>,
  now: string,
): Record<string, unknown> {
  return {
    id: crypto.randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: userMetadata,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
