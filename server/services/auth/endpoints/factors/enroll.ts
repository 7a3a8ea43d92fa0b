// POST /factors: begins a second factor; it counts once it has been verified.
import { z } from 'zod';
import { company } from '#company';
import { isTaken, transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { enrolment } from '../../factors/totp.ts';
import { readBody, text } from '../../input/json.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint, Service } from '../../service.ts';
import type { SignedIn } from '../../sessions/authenticate.ts';
import { namedCaller } from './own-factor.ts';

const Body = z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
type Body = z.output<typeof Body>;

export const enrollFactor: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  const caller = await namedCaller(service, request);
  requireEnrollable(service, caller, body);
  const { account } = caller;
  const { secret, ...shown } = await enrolment(
    body.issuer || company.shortName,
    account.email || account.phone,
  );
  const id = crypto.randomUUID();
  await transaction(service.pool, async (db) => {
    // Enrolments that nobody finished must not use up the number of factors.
    await db.query(
      `delete from auth.mfa_factors
       where user_id = $1 and status = 'unverified' and created_at < now() - interval '5 minutes'`,
      [account.id],
    );
    await db.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values ($1, $2, $3, 'totp', 'unverified', $4, now(), now())`,
      [id, account.id, body.friendly_name, secret],
    );
    await audit(db, request, 'factor_enrolled', account, { factor_id: id, factor_type: 'totp' });
  }).catch((error: unknown) => {
    const isNameTaken = isTaken(error, 'mfa_factors_user_friendly_name_unique');
    throw isNameTaken ? refusals.factorNameTaken(body.friendly_name) : error;
  });
  const name = body.friendly_name === '' ? {} : { friendly_name: body.friendly_name };
  return { id, type: 'totp', ...name, totp: { ...shown, secret } };
};

function requireEnrollable(service: Service, { account, aal }: SignedIn, body: Body): void {
  const { mfa } = service.context.settings.auth;
  switch (body.factor_type) {
    case 'totp':
      if (!mfa.totp.enroll_enabled) throw refusals.factorOff('totp', 'enroll');
      break;
    case 'phone':
    case 'webauthn':
      throw refusals.factorOff(body.factor_type, 'enroll');
    default:
      throw refusals.invalid('factor_type needs to be totp, phone, or webauthn');
  }
  const verified = account.factors.filter(({ status }) => status === 'verified');
  if (account.factors.length >= mfa.max_enrolled_factors) throw refusals.tooManyFactors();
  if (verified.length > 0 && aal !== 'aal2') throw refusals.secondStepToEnroll();
}
