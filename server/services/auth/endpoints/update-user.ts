// PUT /user: the caller's metadata and password (PROTOCOL.md 1.9).
import { z } from 'zod';
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { metadata, readBody, text } from '../input/json.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint, Service } from '../service.ts';
import { authenticate, type SignedIn } from '../sessions/authenticate.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { accountById } from '../users/account.ts';
import { mergeUserMetadata, setPassword } from '../users/change-account.ts';
import { canonicalEmail } from '../users/email.ts';
import { userObject } from '../users/user-object.ts';

const Body = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  app_metadata: metadata,
});
type Body = z.output<typeof Body>;

export const updateUser: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  const caller = await authenticate(service, request);
  const { account, sessionId } = caller;
  requireAllowed(caller, body);
  const passwordHash = body.password === '' ? undefined : await newHash(service, caller, body);

  const changed = await transaction(service.pool, async (db) => {
    if (body.data !== undefined) await mergeUserMetadata(db, account.id, body.data);
    if (passwordHash !== undefined) {
      await setPassword(db, account.id, passwordHash);
      // Whoever knew the old password is out; the present session stays.
      await endSessions(db, account.id, sessionId, sessionId === undefined ? 'global' : 'others');
      await audit(db, request, 'user_updated_password', account);
    }
    await audit(db, request, 'user_modified', account, { fields: Object.keys(body.data ?? {}) });
    return accountById(db, account.id);
  });
  if (changed === undefined) throw refusals.userGone();
  return userObject(changed);
};

function requireAllowed({ account, aal }: SignedIn, body: Body): void {
  if (body.app_metadata !== undefined) throw refusals.appMetadata();
  const changesEmail = body.email !== '' && canonicalEmail(body.email) !== account.email;
  const changesPhone = body.phone !== '' && body.phone.replace(/^\+/, '') !== account.phone;
  if (!changesEmail && !changesPhone && body.password === '') return;
  if (account.is_sso_user) throw refusals.ssoManaged();
  const hasFactor = account.factors.some((factor) => factor.status === 'verified');
  if (hasFactor && aal === 'aal1') throw refusals.needsSecondFactor();
  if (changesEmail) throw refusals.emailChangeUnavailable();
  if (changesPhone) throw refusals.phoneUnsupported();
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
