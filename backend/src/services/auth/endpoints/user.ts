import { z } from 'zod';
import { type Db, sql, transaction } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { canonicalEmail, validEmail, validPhone } from '../input/fields.ts';
import { metadata, readBody, readQuery, text } from '../input/parse.ts';
import { resolveRedirect } from '../input/redirect.ts';
import { notify } from '../mail/notices.ts';
import { requestEmailChange } from '../mail/request-mail.ts';
import {
  dropEarlierProofs,
  hashOfNewPassword,
  hasTemporaryPassword,
} from '../passwords/change-password.ts';
import { audit } from '../protection/audit.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { authenticate, type SignedIn } from '../sessions/authenticate.ts';
import { endSessions, SCOPES } from '../sessions/sessions.ts';
import { requestSms, requirePhones } from '../sms/request-sms.ts';
import { challengeFields, readChallenge } from '../tokens/pkce.ts';
import { withCode } from '../tokens/verify-token.ts';
import { accountByPhone, hasSecondStep, requireAccount, userObject } from '../users/account.ts';
import {
  confirmEmail,
  mergeUserMetadata,
  setEmail,
  setPassword,
  setPhone,
} from '../users/change-account.ts';

export const getUser: Endpoint = async (call) => {
  const { account } = await authenticate(call);
  return userObject(account);
};

// PUT /user: changes the caller's metadata, password, e-mail address or phone number.
const Body = z.object({
  email: text,
  phone: text,
  password: text,
  current_password: text,
  nonce: text,
  data: metadata,
  app_metadata: metadata,
  ...challengeFields,
});
type Body = z.output<typeof Body>;

export const updateUser: Endpoint = async (call) => {
  const body = readBody(call, Body);
  const caller = await authenticate(call);
  const { account, sessionId } = caller;
  const { newEmail, newPhone } = requireAllowed(call, caller, body);
  const challenge = readChallenge(body);
  const { password, current_password: current } = body;
  const passwordHash =
    password === '' ? undefined : await hashOfNewPassword(call, caller, password, current);
  const { enable_confirmations: confirms, secure_password_change: isSecure } =
    call.context.settings.auth.email;
  const isFirstEmail = account.is_anonymous && !confirms;

  const change = async (db: Db): Promise<void> => {
    if (body.data !== undefined) await mergeUserMetadata(db, account.id, body.data);
    if (newEmail !== undefined && isFirstEmail) {
      await setEmail(db, account.id, newEmail);
      await confirmEmail(db, account.id);
    }
    if (newPhone !== undefined) await changePhone(call, db, account.id, newPhone);
    if (passwordHash !== undefined) {
      if (hasTemporaryPassword(account)) await dropEarlierProofs(db, call, account);
      await setPassword(db, account.id, passwordHash);
      // Signs out the other sessions: the old password may have leaked.
      await endSessions(db, account.id, sessionId, sessionId === undefined ? 'global' : 'others');
      await audit(db, call, 'user_updated_password', account);
    }
    await audit(db, call, 'user_modified', account, {
      fields: Object.keys(body.data ?? {}),
    });
  };
  if (passwordHash !== undefined && isSecure && caller.isOld) {
    await withNonce(call, caller, body.nonce, change);
  } else {
    await transaction(call.pool, change);
  }
  if (newEmail !== undefined && !isFirstEmail) {
    await requestEmailChange(call, account, newEmail, resolveRedirect(call), challenge);
  }
  if (newPhone !== undefined && call.context.settings.auth.sms.enable_confirmations) {
    await requestSms(call, 'phone_change', account.id, newPhone);
  }
  if (passwordHash !== undefined) notify(call, 'password_changed', account);
  return userObject(await requireAccount(call.pool, account.id, 'userGone'));
};

interface Addresses {
  newEmail?: string | undefined;
  newPhone?: string | undefined;
}

/** @returns the new canonical addresses, if any; @throws AuthError for changes that this caller may not make */
function requireAllowed(service: Service, { account, aal }: SignedIn, body: Body): Addresses {
  if (body.app_metadata !== undefined) throw authError('appMetadata');
  const changesEmail = body.email !== '' && canonicalEmail(body.email) !== account.email;
  const changesPhone = body.phone !== '' && body.phone.replace(/^\+/, '') !== account.phone;
  if (!changesEmail && !changesPhone && body.password === '') return {};
  if (account.is_sso_user) throw authError('ssoManaged');
  if (hasSecondStep(account) && aal === 'aal1') throw authError('needsSecondFactor');
  const newPhone = changesPhone ? validPhone(body.phone) : undefined;
  if (newPhone !== undefined) {
    const { sms } = service.context.settings.auth;
    if (!sms.enable_signup) throw authError('phoneUnsupported');
    if (sms.enable_confirmations) requirePhones(service, newPhone);
  }
  return { newEmail: changesEmail ? validEmail(body.email) : undefined, newPhone };
}

/** Takes effect at once, or when the code sent to the number is verified. @throws AuthError 422, 429 */
async function changePhone(service: Service, db: Db, id: string, phone: string): Promise<void> {
  if (!service.context.settings.auth.sms.enable_confirmations) return setPhone(db, id, phone, true);
  const taken = await accountByPhone(db, phone);
  if (taken !== undefined) throw authError('phoneExists');
  await service.limits.sms('phone_change', phone);
  await db.query(sql`
    update auth.users set phone_change = ${phone}, phone_change_sent_at = now(), updated_at = now() where id = ${id}`);
}

async function withNonce(
  call: Call,
  { account }: SignedIn,
  nonce: string,
  change: (db: Db) => Promise<void>,
): Promise<void> {
  if (nonce === '') throw authError('reauthenticationNeeded');
  const types = ['reauthentication_token' as const];
  const address = account.email || account.phone;
  await withCode(call, address, nonce, types, change, () => authError('badNonce'));
}

// POST /logout?scope=global|local|others
export const logout: Endpoint = async (call) => {
  const { account, sessionId } = await authenticate(call);
  const asked = readQuery(call, 'scope') || 'global';
  const scope = SCOPES.find((known) => known === asked);
  if (scope === undefined) throw errors.invalid(`Unsupported logout scope "${asked}"`);
  await transaction(call.pool, async (db) => {
    await endSessions(db, account.id, sessionId, scope);
    await audit(db, call, 'logout', account, { scope });
  });
  return call.reply.code(204).send();
};
