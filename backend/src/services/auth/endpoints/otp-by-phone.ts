import type { FastifyRequest } from 'fastify';
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import type { Service } from '../service.ts';
import { requestSms } from '../sms/request-sms.ts';
import { requirePhones } from '../sms/send-code.ts';
import { accountByPhone } from '../users/account.ts';
import { createAccount } from '../users/create-account.ts';
import { dropUnprovedPassword } from '../users/unconfirmed-account.ts';
import { areSignupsOpen } from './sign-up.ts';

interface Wanted {
  create_user?: boolean | null | undefined;
  data?: Record<string, unknown> | undefined;
}

/** @param phone E.164 digits; @returns a made-up message id, as GoTrue does without a carrier's */
export async function otpByPhone(
  service: Service,
  request: FastifyRequest,
  phone: string,
  { create_user: wantsAccount, data }: Wanted,
): Promise<{ message_id: string }> {
  requirePhones(service, phone);
  await service.limits.signIn(addressOf(request));
  const known = await accountByPhone(service.pool, phone);
  const mayCreate = wantsAccount !== false && areSignupsOpen(service);
  if (known === undefined && !mayCreate) throw refusals.otpDisabled();
  await service.limits.sms('otp', phone);
  const id = known?.id ?? crypto.randomUUID();
  if (known === undefined) {
    await transaction(service.pool, async (db) => {
      await createAccount(db, { id, phone, userMetadata: data ?? {}, emailConfirmed: false });
      await audit(db, request, 'user_signedup', { id });
    });
  } else {
    await dropUnprovedPassword(service.pool, id);
  }
  await requestSms(service, request, 'sms', id, phone);
  return { message_id: crypto.randomUUID() };
}
