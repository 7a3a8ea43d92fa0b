import { z } from 'zod';
import { isTaken, transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { enrolment } from '../../factors/codes.ts';
import { readBody, text } from '../../input/json.ts';
import { validPhone } from '../../input/phone.ts';
import { notify } from '../../mail/notify.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint, Service } from '../../service.ts';
import type { SignedIn } from '../../sessions/authenticate.ts';
import { removeFactor } from '../../sessions/raise-session.ts';
import { requireReachable } from '../../sms/send-code.ts';
import { requireOwnPassword } from '../../users/temporary-password.ts';
import { namedCaller, ownFactor } from './own-factor.ts';

// POST /factors: enrols a second factor; it counts once it is verified.
const Body = z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
type Body = z.output<typeof Body>;

const FactorType = z.enum(['totp', 'phone', 'webauthn']);
type FactorType = z.output<typeof FactorType>;

interface Beginning {
  secret?: string;
  phone?: string;
  /** The factor's part of the response. */
  shown: Record<string, unknown>;
}

export const enrollFactor: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  const caller = await namedCaller(service, request);
  requireOwnPassword(caller.account);
  const type = requireEnrollable(service, caller, body);
  const { account } = caller;
  const { secret, phone, shown } = await begin(service, caller, type, body);
  const id = crypto.randomUUID();
  await transaction(service.pool, async (db) => {
    // Abandoned enrolments must not count towards the limit or block the phone number.
    await db.query(
      `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
         and (created_at < now() - interval '5 minutes' or phone = $2)`,
      [account.id, phone ?? null],
    );
    await db.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
       values ($1, $2, $3, $4, 'unverified', $5, $6, now(), now())`,
      [id, account.id, body.friendly_name, type, secret ?? null, phone ?? null],
    );
    await audit(db, request, 'factor_enrolled', account, { factor_id: id, factor_type: type });
  }).catch((error: unknown) => {
    if (isTaken(error, 'unique_phone_factor_per_user')) throw refusals.factorPhoneTaken();
    const isNameTaken = isTaken(error, 'mfa_factors_user_friendly_name_unique');
    throw isNameTaken ? refusals.factorNameTaken(body.friendly_name) : error;
  });
  return { id, type, friendly_name: body.friendly_name, ...shown };
};

async function begin(
  service: Service,
  { account }: SignedIn,
  type: FactorType,
  body: Body,
): Promise<Beginning> {
  if (type === 'webauthn') return { shown: {} };
  if (type === 'phone') {
    if (body.phone === '') {
      throw refusals.invalid('Phone number required to enroll Phone factor');
    }
    const phone = validPhone(body.phone);
    requireReachable(service, phone);
    return { phone, shown: { phone } };
  }
  const { secret, ...shown } = await enrolment(
    body.issuer || service.context.application.organisation.shortName,
    account.email || account.phone,
  );
  return { secret, shown: { totp: { ...shown, secret } } };
}

function requireEnrollable(service: Service, { account, aal }: SignedIn, body: Body): FactorType {
  const { mfa } = service.context.settings.auth;
  const type = FactorType.safeParse(body.factor_type).data;
  if (type === undefined) {
    throw refusals.invalid('factor_type needs to be totp, phone, or webauthn');
  }
  const { enroll_enabled: isOn } = { totp: mfa.totp, phone: mfa.phone, webauthn: mfa.web_authn }[
    type
  ];
  if (!isOn) throw refusals.factorOff(type, 'enroll');
  const verified = account.factors.filter(({ status }) => status === 'verified');
  if (account.factors.length >= mfa.max_enrolled_factors) throw refusals.tooManyFactors();
  if (verified.length > 0 && aal !== 'aal2') throw refusals.secondStepToEnroll();
  return type;
}

// DELETE /factors/{id}
export const unenrollFactor: Endpoint = async (service, request) => {
  const { caller, factor } = await ownFactor(service, request);
  if (factor.status === 'verified' && caller.aal !== 'aal2') throw refusals.secondStepToUnenroll();
  await transaction(service.pool, async (db) => {
    await removeFactor(db, factor);
    await audit(db, request, 'factor_deleted', caller.account, { factor_id: factor.id });
  });
  if (factor.status === 'verified') notify(service, request, 'factor_removed', caller.account);
  return { id: factor.id };
};
