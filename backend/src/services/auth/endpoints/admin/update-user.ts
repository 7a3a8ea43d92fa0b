// PUT /admin/users/{id}: metadata is merged; addresses and password take effect at once.
import { transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { AdminUser, banSecondsOf, passwordHashOf } from '../../input/admin-user.ts';
import { readBody } from '../../input/json.ts';
import { validPhone } from '../../input/phone.ts';
import { notify } from '../../mail/notify.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { endSessions } from '../../sessions/end-sessions.ts';
import { accountById } from '../../users/account.ts';
import {
  confirmEmail,
  mergeAppMetadata,
  mergeUserMetadata,
  setBan,
  setEmail,
  setPassword,
  setPhone,
  setRole,
} from '../../users/change-account.ts';
import { validEmail } from '../../users/email.ts';
import { userObject } from '../../users/user-object.ts';
import { accountOfPath } from './users.ts';

export const updateAnyUser: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const before = await accountOfPath(service.pool, request);
  const { id } = before;
  const body = readBody(request, AdminUser);
  const email = body.email === '' ? undefined : validEmail(body.email);
  const phone = body.phone === '' ? undefined : validPhone(body.phone);
  const banSeconds = banSecondsOf(body);
  const passwordHash = await passwordHashOf(service, body);

  const changed = await transaction(service.pool, async (db) => {
    if (email !== undefined) await setEmail(db, id, email);
    if (phone !== undefined) await setPhone(db, id, phone, body.phone_confirm);
    if (body.email_confirm) await confirmEmail(db, id);
    if (body.role !== '') await setRole(db, id, body.role);
    if (body.user_metadata !== undefined) await mergeUserMetadata(db, id, body.user_metadata);
    if (banSeconds !== undefined) await setBan(db, id, banSeconds);
    if (passwordHash !== undefined) {
      await setPassword(db, id, passwordHash);
      await endSessions(db, id, undefined, 'global');
    }
    // Replaced as a whole after the password: a trigger may treat a password change as the user's own choice.
    if (body.app_metadata !== undefined || passwordHash !== undefined) {
      await mergeAppMetadata(db, id, { ...before.app_metadata, ...body.app_metadata });
    }
    const account = await accountById(db, id);
    await audit(
      db,
      request,
      'user_modified',
      { id, email: account?.email },
      { by: 'administrator' },
    );
    return account;
  });
  if (changed === undefined) throw refusals.noSuchUser();
  if (passwordHash !== undefined) notify(service, request, 'password_set_by_admin', before);
  if (email !== undefined && email !== before.email) {
    notify(service, request, 'email_changed', before);
  }
  return userObject(changed);
};
