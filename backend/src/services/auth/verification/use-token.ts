// What a used one-time token brings about: a confirmed address, or a changed one.
import type { Db } from '../database.ts';
import type { FoundToken } from '../tokens/one-time-token.ts';
import type { Account } from '../users/account.ts';
import { confirmEmail, confirmPhone, setEmail, setPhone } from '../users/change-account.ts';
import { dropUnprovedPassword } from '../users/unconfirmed-account.ts';

export interface Outcome {
  /** The other address of an e-mail change has to confirm too. */
  isHalf: boolean;
  /** The e-mail address that the account had before, where it got another. */
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
    // A sign-in or a new password was asked for by mail: the owner did not come by the one set at the sign-up.
    if (token.token_type === 'recovery_token') await dropUnprovedPassword(db, token.user_id);
    await confirmEmail(db, token.user_id);
    return DONE;
  }
  // Locked, so that both confirmations at once do not each wait for the other.
  const { rows } = await db.query<
    Pick<Account, 'email' | 'email_confirmed_at'> & { email_change: string }
  >(
    `select email_change, coalesce(email, '') as email, email_confirmed_at
     from auth.users where id = $1 for update`,
    [token.user_id],
  );
  const open = await db.query(
    `select from auth.one_time_tokens
     where user_id = $1 and token_type in ('email_change_token_new', 'email_change_token_current')`,
    [token.user_id],
  );
  if (open.rows.length > 0) {
    await db.query('update auth.users set email_change_confirm_status = 1 where id = $1', [
      token.user_id,
    ]);
    return { isHalf: true };
  }
  const [before] = rows;
  if (before === undefined || before.email_change === '') return DONE;
  await setEmail(db, token.user_id, before.email_change);
  await confirmEmail(db, token.user_id);
  return { isHalf: false, left: before };
}
