// POST /factors/{id}/challenge: starts a check of a second factor, to be answered within five minutes.
import { transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { hashPhoneCode } from '../../factors/codes.ts';
import { beginCeremony, type Ceremony } from '../../factors/webauthn.ts';
import { addressOf } from '../../protection/address.ts';
import type { Endpoint } from '../../service.ts';
import { codeFor, requireReachable, sendCode } from '../../sms/send-code.ts';
import { requireOwnPassword } from '../../users/temporary-password.ts';
import { ownFactor } from './own-factor.ts';

/** Seconds. */
export const CHALLENGE_LIFETIME_S = 300;

export const challengeFactor: Endpoint = async (service, request) => {
  const { caller, factor } = await ownFactor(service, request);
  if (factor.status === 'unverified') requireOwnPassword(caller.account);
  const { mfa } = service.context.settings.auth;
  const { account } = caller;
  const id = crypto.randomUUID();
  const createdAt = service.context.now();
  let phoneCode: string | undefined;
  if (factor.factor_type === 'phone') {
    if (!mfa.phone.verify_enabled) throw refusals.factorOff('phone', 'verify');
    requireReachable(service, factor.phone);
    await service.limits.sms('factor', factor.phone);
    phoneCode = codeFor(service, factor.phone, mfa.phone.otp_length);
  }
  const ceremony = await transaction(service.pool, async (db): Promise<Ceremony | undefined> => {
    const begun =
      factor.factor_type === 'webauthn'
        ? await beginCeremony(service, db, account, factor)
        : undefined;
    await db.query(
      `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
       values ($1, $2, $3, $4, $5, $6)`,
      [
        id,
        factor.id,
        createdAt,
        addressOf(request),
        phoneCode === undefined ? null : hashPhoneCode(id, phoneCode),
        begun === undefined ? null : JSON.stringify({ challenge: begun.challenge }),
      ],
    );
    await db.query(
      'update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1',
      [factor.id],
    );
    return begun;
  });
  if (phoneCode !== undefined) {
    const message = { phone: factor.phone, code: phoneCode, userId: account.id };
    sendCode(service, request, mfa.phone.template, message);
  }
  const expiresAt = Math.floor(createdAt.getTime() / 1000) + CHALLENGE_LIFETIME_S;
  const asked =
    ceremony === undefined
      ? {}
      : { webauthn: { type: ceremony.type, credential_options: ceremony.options } };
  return { id, type: factor.factor_type, expires_at: expiresAt, ...asked };
};
