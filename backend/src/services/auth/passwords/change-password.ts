import { type Db, sql } from '../database.ts';
import { authError } from '../errors.ts';
import { audit } from '../protection/audit.ts';
import { identifyGuesser } from '../protection/caller.ts';
import type { Call, Service } from '../service.ts';
import type { SignedIn } from '../sessions/authenticate.ts';
import { removeFactor } from '../sessions/sessions.ts';
import { fetchProof } from '../sessions/tokens.ts';
import type { Account } from '../users/account.ts';

/** Authentication methods of links and codes: users who forgot their password signed in this way. */
const BY_MESSAGE = new Set(['otp', 'recovery', 'magiclink', 'invite', 'email/signup']);

/**
 * @param current the current password in the request; empty if missing
 * @returns the hash of the new one
 * @throws AuthError 400 and 422 for an unacceptable password, 429 after too many wrong current ones
 */
export async function hashOfNewPassword(
  call: Call,
  caller: SignedIn,
  password: string,
  current: string,
): Promise<string> {
  const { account } = caller;
  if (account.is_anonymous && account.email === '' && account.phone === '') {
    throw authError('anonymousPassword');
  }
  call.passwords.requireGood(password);
  if (await needsCurrent(call, caller)) {
    await requireCurrent(call, caller, current);
  }
  if (await call.passwords.matches(password, account.password_hash)) {
    throw authError('samePassword');
  }
  return call.passwords.hash(password);
}

async function needsCurrent(
  { context, pool }: Service,
  { account, sessionId }: SignedIn,
): Promise<boolean> {
  const { security } = context.settings.auth;
  if (!security.update_password_require_current_password || !account.password_hash) return false;
  if (sessionId === undefined) return true;
  const { amr } = await fetchProof(pool, sessionId);
  return !amr.some(({ method }) => BY_MESSAGE.has(method));
}

/** Counts with the wrong passwords of sign-ins: a stolen session must not allow guessing. */
async function requireCurrent(call: Call, { account }: SignedIn, current: string): Promise<void> {
  if (current === '') throw authError('currentPasswordNeeded');
  const { limits, passwords } = call;
  const guesser = await identifyGuesser(call, account.email || account.phone);
  await limits.passwords.requireOpen(guesser);
  if (await passwords.matches(current, account.password_hash)) return;
  await limits.passwords.wrong(guesser);
  throw authError('currentPasswordWrong');
}

// An administrator knows the temporary password, so a sign-in with it does not prove the owner: `must_change_password` in
// app_metadata, until the owner chooses another.
export function hasTemporaryPassword({ app_metadata: metadata }: Account): boolean {
  return metadata.must_change_password === true;
}

/** Checked before a way to sign in is added. @throws AuthError 403 */
export function requireOwnPassword(account: Account): void {
  if (hasTemporaryPassword(account)) throw authError('ownPasswordFirst');
}

/** Removes factors and passkeys that were added before the owner's own password. */
export async function dropEarlierProofs(db: Db, call: Call, account: Account): Promise<void> {
  for (const factor of account.factors) {
    await removeFactor(db, factor);
    await audit(db, call, 'factor_deleted', account, { factor_id: factor.id });
  }
  const { rows } = await db.query<{ id: string }>(sql`
    delete from auth.webauthn_credentials where user_id = ${account.id} returning id`);
  for (const { id } of rows) {
    await audit(db, call, 'passkey_removed', account, { passkey_id: id });
  }
  await db.query(sql`
    with challenges as (delete from auth.webauthn_challenges where user_id = ${account.id})
    delete from auth.flow_state where linking_target_id = ${account.id}`);
}
