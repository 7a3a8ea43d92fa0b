import { z } from 'zod';
import { isTaken, sql, transaction } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { enrolment, hashPhoneCode } from '../factors/codes.ts';
import { beginCeremony, type Ceremony } from '../factors/security-keys.ts';
import { validPhone } from '../input/fields.ts';
import { readBody, readUuid, text } from '../input/parse.ts';
import { notify } from '../mail/notices.ts';
import { requireOwnPassword } from '../passwords/change-password.ts';
import { audit } from '../protection/audit.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { authenticate, type SignedIn } from '../sessions/authenticate.ts';
import { removeFactor } from '../sessions/sessions.ts';
import { codeFor, requireReachable, sendCode } from '../sms/request-sms.ts';
import { type Account, type Factor, hasSecondStep } from '../users/account.ts';

/** @throws AuthError 403 for an anonymous account */
export async function namedCaller(call: Call): Promise<SignedIn> {
  const caller = await authenticate(call);
  if (caller.account.is_anonymous) throw authError('anonymousRefused');
  return caller;
}

export async function ownFactor(call: Call): Promise<{ caller: SignedIn; factor: Factor }> {
  const caller = await namedCaller(call);
  const factorId = readUuid(call, 'id', 'badFactorId');
  const factor = caller.account.factors.find(({ id }) => id === factorId);
  if (factor === undefined) throw authError('noSuchFactor');
  return { caller, factor };
}

// POST /factors: enrols a second factor; it counts once it is verified.
const EnrollBody = z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
type EnrollBody = z.output<typeof EnrollBody>;

const FactorType = z.enum(['totp', 'phone', 'webauthn']);
type FactorType = z.output<typeof FactorType>;

interface Beginning {
  secret?: string;
  phone?: string;
  /** The factor's part of the response. */
  shown: Record<string, unknown>;
}

export const enrollFactor: Endpoint = async (call) => {
  const body = readBody(call, EnrollBody);
  const caller = await namedCaller(call);
  requireOwnPassword(caller.account);
  const type = requireEnrollable(call, caller, body);
  const { account } = caller;
  const { secret, phone, shown } = await begin(call, caller, type, body);
  const id = crypto.randomUUID();
  await transaction(call.pool, async (db) => {
    // Abandoned enrolments must not count towards the limit or block the phone number.
    await db.query(sql`
      delete from auth.mfa_factors where user_id = ${account.id} and status = 'unverified'
        and (created_at < now() - interval '5 minutes' or phone = ${phone})`);
    await db.query(sql`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone,
        created_at, updated_at)
      values (${id}, ${account.id}, ${body.friendly_name}, ${type}, 'unverified', ${secret}, ${phone}, now(), now())`);
    await audit(db, call, 'factor_enrolled', account, { factor_id: id, factor_type: type });
  }).catch((error: unknown) => {
    if (isTaken(error, 'unique_phone_factor_per_user')) throw authError('factorPhoneTaken');
    const isNameTaken = isTaken(error, 'mfa_factors_user_friendly_name_unique');
    throw isNameTaken ? errors.factorNameTaken(body.friendly_name) : error;
  });
  return { id, type, friendly_name: body.friendly_name, ...shown };
};

async function begin(
  service: Service,
  { account }: SignedIn,
  type: FactorType,
  body: EnrollBody,
): Promise<Beginning> {
  if (type === 'webauthn') return { shown: {} };
  if (type === 'phone') {
    if (body.phone === '') throw errors.invalid('Phone number required to enroll Phone factor');
    const phone = validPhone(body.phone);
    requireReachable(service, phone);
    return { phone, shown: { phone } };
  }
  const { secret, ...shown } = enrolment(
    body.issuer || service.context.application.organisation.shortName,
    account.email || account.phone,
  );
  return { secret, shown: { totp: { ...shown, secret } } };
}

function requireEnrollable(
  service: Service,
  { account, aal }: SignedIn,
  body: EnrollBody,
): FactorType {
  const { mfa } = service.context.settings.auth;
  const type = FactorType.safeParse(body.factor_type).data;
  if (type === undefined) throw errors.invalid('factor_type needs to be totp, phone, or webauthn');
  requireFactorOn(service, type, 'enroll');
  if (account.factors.length >= mfa.max_enrolled_factors) throw authError('tooManyFactors');
  if (hasSecondStep(account) && aal !== 'aal2') throw authError('secondStepToEnroll');
  return type;
}

/** @throws AuthError 422 if factors of this type can't be enrolled or verified */
export function requireFactorOn(
  { context }: Service,
  type: FactorType,
  what: 'enroll' | 'verify',
): void {
  const { totp, phone, web_authn: webauthn } = context.settings.auth.mfa;
  if (!{ totp, phone, webauthn }[type][`${what}_enabled`]) throw errors.factorOff(type, what);
}

/** Removes a factor of the caller, or of another account for an administrator. */
export async function dropFactor(call: Call, account: Account, factor: Factor): Promise<void> {
  await transaction(call.pool, async (db) => {
    await removeFactor(db, factor);
    await audit(db, call, 'factor_deleted', account, { factor_id: factor.id });
  });
  if (factor.status === 'verified') notify(call, 'factor_removed', account);
}

// DELETE /factors/{id}
export const unenrollFactor: Endpoint = async (call) => {
  const { caller, factor } = await ownFactor(call);
  if (factor.status === 'verified' && caller.aal !== 'aal2')
    throw authError('secondStepToUnenroll');
  await dropFactor(call, caller.account, factor);
  return { id: factor.id };
};

// POST /factors/{id}/challenge: starts a check of a second factor, to be answered within five minutes.
export const CHALLENGE_LIFETIME_S = 300;

export const challengeFactor: Endpoint = async (call) => {
  const { caller, factor } = await ownFactor(call);
  if (factor.status === 'unverified') requireOwnPassword(caller.account);
  const { mfa } = call.context.settings.auth;
  const { account } = caller;
  const id = crypto.randomUUID();
  const createdAt = call.context.now();
  let phoneCode: string | undefined;
  if (factor.factor_type === 'phone') {
    requireFactorOn(call, 'phone', 'verify');
    requireReachable(call, factor.phone);
    await call.limits.sms('factor', factor.phone);
    phoneCode = codeFor(call, factor.phone, mfa.phone.otp_length);
  }
  const ceremony = await transaction(call.pool, async (db): Promise<Ceremony | undefined> => {
    const begun =
      factor.factor_type === 'webauthn'
        ? await beginCeremony(call, db, account, factor)
        : undefined;
    await db.query(sql`
      insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
      values (${id}, ${factor.id}, ${createdAt}, ${call.address}, ${phoneCode && hashPhoneCode(id, phoneCode)},
        ${begun && JSON.stringify({ challenge: begun.challenge })})`);
    await db.query(sql`
      update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = ${factor.id}`);
    return begun;
  });
  if (phoneCode !== undefined) {
    const message = { phone: factor.phone, code: phoneCode, userId: account.id };
    sendCode(call, mfa.phone.template, message);
  }
  const expiresAt = Math.floor(createdAt.getTime() / 1000) + CHALLENGE_LIFETIME_S;
  const asked =
    ceremony === undefined
      ? {}
      : { webauthn: { type: ceremony.type, credential_options: ceremony.options } };
  return { id, type: factor.factor_type, expires_at: expiresAt, ...asked };
};
