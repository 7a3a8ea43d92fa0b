// Sign-up with phone number and password: a session at once, or a code first if numbers must be confirmed.
import type { FastifyRequest } from 'fastify';
import { transaction } from '../database.ts';
import { AuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { validPhone } from '../input/phone.ts';
import { audit } from '../protection/audit.ts';
import type { Service } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { requestSms } from '../sms/request-sms.ts';
import { requireChannel, requirePhones } from '../sms/send-code.ts';
import { accountById, accountByPhone } from '../users/account.ts';
import { createAccount } from '../users/create-account.ts';
import { dropUnprovedPassword } from '../users/unconfirmed-account.ts';
import { userObject } from '../users/user-object.ts';

interface Wanted {
  phone: string;
  password: string;
  channel: string;
  code_challenge: string;
  data?: Record<string, unknown> | undefined;
}

export async function signUpByPhone(
  service: Service,
  request: FastifyRequest,
  body: Wanted,
): Promise<unknown> {
  const { sms } = service.context.settings.auth;
  if (!sms.enable_signup) throw refusals.phoneSignupsDisabled();
  if (body.code_challenge !== '') throw refusals.invalid('PKCE not supported for phone signups');
  requireChannel(body.channel);
  const phone = validPhone(body.phone);
  if (sms.enable_confirmations) requirePhones(service, phone);
  service.passwords.requireGood(body.password);
  const passwordHash = await service.passwords.hash(body.password);
  const known = await accountByPhone(service.pool, phone);
  if (known !== undefined && (known.phone_confirmed_at !== null || !sms.enable_confirmations)) {
    throw refusals.alreadyRegistered();
  }
  const id = known?.id ?? crypto.randomUUID();
  const create = async (db: Parameters<typeof createAccount>[0]): Promise<string> => {
    await createAccount(db, {
      id,
      phone,
      passwordHash,
      userMetadata: body.data ?? {},
      emailConfirmed: false,
      phoneConfirmed: !sms.enable_confirmations,
    }).catch((error: unknown) => {
      const isTaken = error instanceof AuthError && error.code === 'phone_exists';
      throw isTaken ? refusals.alreadyRegistered() : error;
    });
    await audit(db, request, 'user_signedup', { id });
    return id;
  };
  if (!sms.enable_confirmations) return signIn(service, request, 'password', create);
  await service.limits.sms('signup', phone);
  if (known === undefined) await transaction(service.pool, create);
  else if (!(await service.passwords.matches(body.password, known.password_hash))) {
    await dropUnprovedPassword(service.pool, id);
  }
  await requestSms(service, request, 'sms', id, phone);
  const account = await accountById(service.pool, id);
  if (account === undefined) throw refusals.noSuchUser();
  return userObject(account);
}
