// Whether the caller may set this password, and the hash to store.
import type { FastifyRequest } from 'fastify';
import { refusals } from '../errors/catalogue.ts';
import { guesserOf } from '../protection/guesser.ts';
import type { Service } from '../service.ts';
import type { SignedIn } from '../sessions/authenticate.ts';
import { proofOf } from '../tokens/access-token.ts';

/** Authentication methods of links and codes: users who forgot their password signed in this way. */
const BY_MESSAGE = new Set(['otp', 'recovery', 'magiclink', 'invite', 'email/signup']);

/**
 * @param current the current password in the request; empty if missing
 * @returns the hash of the new one
 * @throws AuthError 400 and 422 for an unacceptable password, 429 after too many wrong current ones
 */
export async function hashOfNewPassword(
  service: Service,
  request: FastifyRequest,
  caller: SignedIn,
  password: string,
  current: string,
): Promise<string> {
  const { account } = caller;
  if (account.is_anonymous && account.email === '' && account.phone === '') {
    throw refusals.anonymousPassword();
  }
  service.passwords.requireGood(password);
  if (await needsCurrent(service, caller)) {
    await requireCurrent(service, request, caller, current);
  }
  if (await service.passwords.matches(password, account.password_hash)) {
    throw refusals.samePassword();
  }
  return service.passwords.hash(password);
}

async function needsCurrent(
  { context, pool }: Service,
  { account, sessionId }: SignedIn,
): Promise<boolean> {
  const { security } = context.settings.auth;
  if (!security.update_password_require_current_password || !account.password_hash) return false;
  if (sessionId === undefined) return true;
  const { amr } = await proofOf(pool, sessionId);
  return !amr.some(({ method }) => BY_MESSAGE.has(method));
}

/** Counts with the wrong passwords of sign-ins: a stolen session must not allow guessing. */
async function requireCurrent(
  service: Service,
  request: FastifyRequest,
  { account }: SignedIn,
  current: string,
): Promise<void> {
  if (current === '') throw refusals.currentPasswordNeeded();
  const { limits, passwords } = service;
  const guesser = await guesserOf(service.pool, request, account.email || account.phone);
  await limits.passwords.requireOpen(guesser);
  if (await passwords.matches(current, account.password_hash)) return;
  await limits.passwords.wrong(guesser);
  throw refusals.currentPasswordWrong();
}
