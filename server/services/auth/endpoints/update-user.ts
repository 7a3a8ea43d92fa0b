// PUT /user: the caller's metadata, password and e-mail address (PROTOCOL.md 1.9).
import { z } from 'zod';
import { type Db, transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { challengeFields } from '../input/challenge.ts';
import { metadata, readBody, text } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestEmailChange } from '../mail/request-email-change.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint, Service } from '../service.ts';
import { authenticate, type SignedIn } from '../sessions/authenticate.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { challengeOf } from '../tokens/pkce.ts';
import { accountById } from '../users/account.ts';
import { confirmEmail, mergeUserMetadata, setEmail, setPassword } from '../users/change-account.ts';
import { canonicalEmail, validEmail } from '../users/email.ts';
import { userObject } from '../users/user-object.ts';
import { withCode } from '../verification/verify-token.ts';

const Body = z.object({
  email: text,
  phone: text,
  password: text,
  nonce: text,
  data: metadata,
  app_metadata: metadata,
  ...challengeFields,
});
type Body = z.output<typeof Body>;

export const updateUser: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  const caller = await authenticate(service, request);
  const { account, sessionId } = caller;
  const newEmail = requireAllowed(caller, body);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  const passwordHash = body.password === '' ? undefined : await newHash(service, caller, body);
  const isFirstEmail = account.is_anonymous && !confirms(service);

  const change = async (db: Db): Promise<void> => {
    if (body.data !== undefined) await mergeUserMetadata(db, account.id, body.data);
    if (newEmail !== undefined && isFirstEmail) {
      await setEmail(db, account.id, newEmail);
      await confirmEmail(db, account.id);
    }
    if (passwordHash !== undefined) {
      await setPassword(db, account.id, passwordHash);
      // Whoever knew the old password is out; the present session stays.
      await endSessions(db, account.id, sessionId, sessionId === undefined ? 'global' : 'others');
      await audit(db, request, 'user_updated_password', account);
    }
    await audit(db, request, 'user_modified', account, { fields: Object.keys(body.data ?? {}) });
  };
  if (passwordHash !== undefined && needsNonce(service, caller)) {
    await withNonce(service, caller, body.nonce, change);
  } else {
    await transaction(service.pool, change);
  }
  if (newEmail !== undefined && !isFirstEmail) {
    const redirectTo = redirectOf(service.context, request);
    await requestEmailChange(service, request, account, newEmail, redirectTo, challenge);
  }
  const changed = await accountById(service.pool, account.id);
  if (changed === undefined) throw refusals.userGone();
  return userObject(changed);
};

const confirms = ({ context }: Service): boolean =>
  context.settings.auth.email.enable_confirmations;

/** @returns the new canonical address, if there is one; @throws AuthError for what this caller may not change */
function requireAllowed({ account, aal }: SignedIn, body: Body): string | undefined {
  if (body.app_metadata !== undefined) throw refusals.appMetadata();
  const changesEmail = body.email !== '' && canonicalEmail(body.email) !== account.email;
  const changesPhone = body.phone !== '' && body.phone.replace(/^\+/, '') !== account.phone;
  if (!changesEmail && !changesPhone && body.password === '') return undefined;
  if (account.is_sso_user) throw refusals.ssoManaged();
  const hasFactor = account.factors.some((factor) => factor.status === 'verified');
  if (hasFactor && aal === 'aal1') throw refusals.needsSecondFactor();
  if (changesPhone) throw refusals.phoneUnsupported();
  return changesEmail ? validEmail(body.email) : undefined;
}

async function newHash(service: Service, { account }: SignedIn, body: Body): Promise<string> {
  if (account.is_anonymous && account.email === '' && account.phone === '') {
    throw refusals.anonymousPassword();
  }
  service.passwords.requireGood(body.password);
  if (await service.passwords.matches(body.password, account.password_hash)) {
    throw refusals.samePassword();
  }
  return service.passwords.hash(body.password);
}

function needsNonce({ context }: Service, { isOld }: SignedIn): boolean {
  return context.settings.auth.email.secure_password_change && isOld;
}

async function withNonce(
  service: Service,
  { account }: SignedIn,
  nonce: string,
  change: (db: Db) => Promise<void>,
): Promise<void> {
  if (nonce === '') throw refusals.reauthenticationNeeded();
  const types = ['reauthentication_token' as const];
  await withCode(service, account.email, nonce, types, change, refusals.badNonce);
}
