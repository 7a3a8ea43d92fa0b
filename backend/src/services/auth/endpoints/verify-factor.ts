import { z } from 'zod';
import { type Db, sql, transaction } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { findStep, matchesPhoneCode } from '../factors/codes.ts';
import { completeCeremony } from '../factors/security-keys.ts';
import { readBody, text } from '../input/parse.ts';
import { notify } from '../mail/notices.ts';
import { requireOwnPassword } from '../passwords/change-password.ts';
import { audit } from '../protection/audit.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import type { SignedIn } from '../sessions/authenticate.ts';
import { raiseSession } from '../sessions/sessions.ts';
import { sessionObject } from '../sessions/sign-in.ts';
import { fetchProof } from '../sessions/tokens.ts';
import { type Factor, requireAccount } from '../users/account.ts';
import { CHALLENGE_LIFETIME_S, ownFactor, requireFactorOn } from './factors.ts';

const Body = z.object({
  challenge_id: z.guid().nullish(),
  code: text,
  webauthn: z.object({ credential_response: z.unknown().optional() }).nullish(),
});
type Body = z.output<typeof Body>;

export const verifyFactor: Endpoint = async (call) => {
  const body = readBody(call, Body);
  const { caller, factor } = await ownFactor(call);
  if (factor.status === 'unverified') requireOwnPassword(caller.account);
  const type = factor.factor_type;
  requireFactorOn(call, type, 'verify');
  if (type !== 'webauthn' && body.code === '') throw errors.invalid('Code needs to be non-empty');
  if (caller.sessionId === undefined) throw authError('sessionGone');
  const { account } = caller;
  await call.limits.secondFactors.requireOpen(account.id);
  const { sessionId } = caller;
  const raised = await transaction(call.pool, async (db) => {
    const challengeId = body.challenge_id ?? undefined;
    const challenge = await requireChallenge(call, db, factor, challengeId);
    if (!(await isAnswered(call, db, factor, challenge, body))) return undefined;
    return complete(db, call, { ...caller, sessionId }, factor);
  });
  if (raised === undefined) {
    await audit(call.pool, call, 'factor_failed', account, { factor_id: factor.id });
    await call.limits.secondFactors.wrong(account.id);
    throw errors.wrongFactorCode(type);
  }
  await call.limits.secondFactors.right(account.id);
  if (factor.status === 'unverified') notify(call, 'factor_added', account);
  return sessionObject(call, raised);
};

interface Challenge {
  id: string;
  otp_code: string | null;
  web_authn_session_data: unknown;
}

/** Locks the challenge, so that it is answered only once. */
async function requireChallenge(
  call: Call,
  db: Db,
  factor: Factor,
  challengeId: string | undefined,
): Promise<Challenge> {
  const { rows } = await db.query<Challenge & { created_at: Date; is_other: boolean }>(sql`
    select id, created_at, otp_code, web_authn_session_data,
      verified_at is not null or ip_address <> ${call.address}::inet as is_other
    from auth.mfa_challenges where id = ${challengeId} and factor_id = ${factor.id} for update`);
  const challenge = rows[0];
  if (challenge === undefined) throw authError('noSuchChallenge');
  if (challenge.is_other) throw authError('challengeMismatch');
  const age = call.context.now().getTime() - challenge.created_at.getTime();
  if (age > CHALLENGE_LIFETIME_S * 1000) throw errors.challengeExpired(challenge.id);
  return challenge;
}

async function isAnswered(
  service: Service,
  db: Db,
  factor: Factor,
  challenge: Challenge,
  { code, webauthn }: Body,
): Promise<boolean> {
  switch (factor.factor_type) {
    case 'totp':
      return spendCode(service, db, factor, code);
    case 'phone':
      return matchesPhoneCode(challenge.id, code, challenge.otp_code);
    case 'webauthn': {
      const { web_authn_session_data: asked } = challenge;
      return completeCeremony(service, db, factor, asked, webauthn?.credential_response);
    }
  }
}

/** Stores the time step of the code: neither this code nor an older one works again (RFC 6238 section 5.2). */
async function spendCode(service: Service, db: Db, factor: Factor, code: string): Promise<boolean> {
  const { rows } = await db.query<{ secret: string | null; last_used_step: string | null }>(sql`
    select secret, last_used_step from auth.mfa_factors where id = ${factor.id} for update`);
  const row = rows[0];
  if (!row?.secret) return false;
  const last = row.last_used_step === null ? undefined : Number(row.last_used_step);
  const step = await findStep(row.secret, code, service.context.now(), last);
  if (step === undefined) return false;
  await db.query(sql`update auth.mfa_factors set last_used_step = ${step} where id = ${factor.id}`);
  return true;
}

async function complete(
  db: Db,
  call: Call,
  { account, sessionId }: SignedIn & { sessionId: string },
  factor: Factor,
) {
  await db.query(sql`
    update auth.mfa_challenges set verified_at = now() where factor_id = ${factor.id} and verified_at is null`);
  await db.query(sql`
    update auth.mfa_factors set status = 'verified', updated_at = now()
    where id = ${factor.id} and status = 'unverified'`);
  await db.query(sql`
    delete from auth.mfa_factors
    where user_id = ${account.id} and factor_type::text = ${factor.factor_type} and status = 'unverified'`);
  const session = await raiseSession(db, account.id, sessionId, factor);
  await audit(db, call, 'factor_verified', account, { factor_id: factor.id });
  const fresh = await requireAccount(db, account.id, 'userGone');
  return { account: fresh, session, proof: await fetchProof(db, sessionId) };
}
