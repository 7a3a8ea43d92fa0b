// What a used one-time token brings about: a confirmed address, or a changed one.
import type { Db } from '../database.ts';
import type { FoundToken } from '../tokens/one-time-token.ts';
import { confirmEmail, confirmPhone, setEmail, setPhone } from '../users/change-account.ts';

/** Half: the other address of an e-mail change has to confirm too. */
export type Outcome = 'done' | 'half';

export async function useToken(db: Db, token: FoundToken): Promise<Outcome> {
  if (token.token_type === 'phone_change_token') {
    await setPhone(db, token.user_id, token.relates_to, true);
    await confirmPhone(db, token.user_id);
    return 'done';
  }
  if (!token.relates_to.includes('@')) {
    await confirmPhone(db, token.user_id);
    return 'done';
  }
  if (
    token.token_type !== 'email_change_token_new' &&
    token.token_type !== 'email_change_token_current'
  ) {
    await confirmEmail(db, token.user_id);
    return 'done';
  }
  // Locked, so that both confirmations at once do not each wait for the other.
  const { rows } = await db.query<{ email_change: string }>(
    'select email_change from auth.users where id = $1 for update',
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
    return 'half';
  }
  const email = rows[0]?.email_change ?? '';
  if (email !== '') {
    await setEmail(db, token.user_id, email);
    await confirmEmail(db, token.user_id);
  }
  return 'done';
}
