// POST /admin/users
import { z } from 'zod';
import { transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { AdminUser, banSecondsOf, passwordHashOf } from '../../input/admin-user.ts';
import { readBody } from '../../input/json.ts';
import { validPhone } from '../../input/phone.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { accountById, accountByPhone } from '../../users/account.ts';
import { setBan } from '../../users/change-account.ts';
import { createAccount } from '../../users/create-account.ts';
import { validEmail } from '../../users/email.ts';
import { userObject } from '../../users/user-object.ts';

export const createUser: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const body = readBody(request, AdminUser);
  if (body.email === '' && body.phone === '') {
    throw refusals.invalid('Cannot create a user without either an email or phone');
  }
  if (body.id !== '' && !z.uuidv4().safeParse(body.id).success) {
    throw refusals.invalid('ID must conform to the uuid v4 format');
  }
  const email = body.email === '' ? undefined : validEmail(body.email);
  const phone = body.phone === '' ? undefined : validPhone(body.phone);
  const banSeconds = banSecondsOf(body);
  const passwordHash = await passwordHashOf(service, body);
  const id = body.id === '' ? crypto.randomUUID() : body.id.toLowerCase();

  const account = await transaction(service.pool, async (db) => {
    if (await accountById(db, id)) throw refusals.invalid('ID is already in use');
    if (phone !== undefined && (await accountByPhone(db, phone))) throw refusals.phoneTaken();
    await createAccount(db, {
      id,
      email,
      phone,
      passwordHash,
      userMetadata: body.user_metadata ?? {},
      appMetadata: body.app_metadata,
      emailConfirmed: body.email_confirm,
      phoneConfirmed: body.phone_confirm,
      role: body.role,
      aud: body.aud,
      isByAdmin: true,
    });
    if (banSeconds !== undefined) await setBan(db, id, banSeconds);
    await audit(db, request, 'user_signedup', { id, email }, { by: 'administrator' });
    return accountById(db, id);
  });
  if (account === undefined) throw refusals.noSuchUser();
  return userObject(account);
};
