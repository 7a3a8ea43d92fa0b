import { type Db, sql, transaction } from '../database.ts';
import { authError, errors } from '../errors.ts';
import { identifyGuesser } from '../protection/caller.ts';
import type { Call, Service } from '../service.ts';
import type { Account } from '../users/account.ts';
import { confirmEmail, confirmPhone, setEmail, setPhone } from '../users/change-account.ts';
import { dropUnprovedPassword } from '../users/create-account.ts';
import { type FoundToken, type TokenType, takeByCode, takeByHash } from './one-time-token.ts';

const CHANGE: TokenType[] = ['email_change_token_new', 'email_change_token_current'];

/** `email` covers both mails of a sign-in: a confirmation for a new account, a link for a known one. */
const TYPES = new Map<string, TokenType[]>([
  ['signup', ['confirmation_token']],
  ['invite', ['confirmation_token']],
  ['magiclink', ['recovery_token', 'confirmation_token']],
  ['recovery', ['recovery_token']],
  ['email', ['confirmation_token', 'recovery_token']],
  ['email_change', CHANGE],
  ['sms', ['confirmation_token']],
  ['phone_change', ['phone_change_token']],
]);

/** @throws AuthError 400 for an unknown type */
export function listTypes(type: string): TokenType[] {
  if (type === '') throw errors.invalid('Verify requires a verification type');
  const types = TYPES.get(type);
  if (types === undefined) throw errors.invalid('Invalid email verification type');
  return types;
}

/** Runs `then` in the transaction that consumes the link's token. @throws AuthError 403 */
export async function withLink<T>(
  service: Service,
  hash: string,
  types: TokenType[],
  then: (db: Db, token: FoundToken) => Promise<T>,
): Promise<T> {
  const { otp_expiry: lifetime } = service.context.settings.auth.email;
  return transaction(service.pool, async (db) => {
    const token = await takeByHash(db, hash, types, lifetime);
    if (token === undefined) throw authError('wrongLink');
    return then(db, token);
  });
}

/**
 * Runs `then` in the transaction that consumes the token of the digits.
 * Ten wrong guesses block the address for a while, except from networks that the account is known on.
 * @param address canonical
 * @param refusal error for wrong digits
 * @throws AuthError 403, or 429 after too many wrong ones
 */
export async function withCode<T>(
  call: Call,
  address: string,
  code: string,
  types: TokenType[],
  then: (db: Db, token: FoundToken) => Promise<T>,
  refusal: () => Error = () => authError('wrongCode'),
): Promise<T> {
  const { limits } = call;
  const { email, sms } = call.context.settings.auth;
  const { otp_expiry: lifetime } = address.includes('@') ? email : sms;
  const guesser = await identifyGuesser(call, address);
  await limits.codes.requireOpen(guesser);
  const result = await transaction(call.pool, async (db) => {
    const token = await takeByCode(db, address, code, types, lifetime);
    return token === undefined ? undefined : { value: await then(db, token) };
  });
  if (result === undefined) {
    await limits.codes.wrong(guesser);
    throw refusal();
  }
  await limits.codes.right(guesser);
  return result.value;
}

// The effect of a one-time token: a confirmed or changed address.
export interface Outcome {
  /** The other address of an e-mail change must confirm too. */
  isHalf: boolean;
  /** The previous e-mail address, if it changed. */
  left?: Pick<Account, 'email' | 'email_confirmed_at'>;
}

const DONE: Outcome = { isHalf: false };

export async function useToken(db: Db, token: FoundToken): Promise<Outcome> {
  if (token.token_type === 'phone_change_token') {
    await setPhone(db, token.user_id, token.relates_to, true);
    await confirmPhone(db, token.user_id);
    return DONE;
  }
  if (!token.relates_to.includes('@')) {
    await confirmPhone(db, token.user_id);
    return DONE;
  }
  if (
    token.token_type !== 'email_change_token_new' &&
    token.token_type !== 'email_change_token_current'
  ) {
    // The password of the sign-up may not be the owner's, who has now requested a sign-in or a new password by mail.
    if (token.token_type === 'recovery_token') await dropUnprovedPassword(db, token.user_id);
    await confirmEmail(db, token.user_id);
    return DONE;
  }
  // Locked, so that concurrent confirmations of both addresses see each other.
  const { rows } = await db.query<
    Pick<Account, 'email' | 'email_confirmed_at'> & { email_change: string }
  >(sql`
    select email_change, coalesce(email, '') as email, email_confirmed_at
    from auth.users where id = ${token.user_id} for update`);
  const open = await db.query(sql`
    select from auth.one_time_tokens
    where user_id = ${token.user_id} and token_type in ('email_change_token_new', 'email_change_token_current')`);
  if (open.rows.length > 0) {
    await db.query(sql`
      update auth.users set email_change_confirm_status = 1 where id = ${token.user_id}`);
    return { isHalf: true };
  }
  const [before] = rows;
  if (before === undefined || before.email_change === '') return DONE;
  await setEmail(db, token.user_id, before.email_change);
  await confirmEmail(db, token.user_id);
  return { isHalf: false, left: before };
}
