// The effect of a one-time token: a confirmed or changed address.
import type { Db } from '../database.ts';
import type { FoundToken } from '../tokens/one-time-token.ts';
import type { Account } from '../users/account.ts';
import { confirmEmail, confirmPhone, setEmail, setPhone } from '../users/change-account.ts';
import { dropUnprovedPassword } from '../users/unconfirmed-account.ts';

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
