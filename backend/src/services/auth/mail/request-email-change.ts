// Requests the confirmation of a new e-mail address, from the new one and, if so configured, from the old one too.
import type { FastifyRequest } from 'fastify';
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { issueToken, type OneTimeToken } from '../tokens/one-time-token.ts';
import { beginFlow, type Challenge } from '../tokens/pkce.ts';
import { type Account, accountByEmail } from '../users/account.ts';
import { sendMail } from './send-mail.ts';

/**
 * @param newEmail canonical
 * @throws AuthError 422 if another account has the address
 */
export async function requestEmailChange(
  service: Service,
  request: FastifyRequest,
  account: Account,
  newEmail: string,
  redirectTo: string,
  challenge?: Challenge,
): Promise<void> {
  if (await accountByEmail(service.pool, newEmail)) throw refusals.emailExists();
  await service.limits.mail('email_change', newEmail);
  const { otp_length: length, double_confirm_changes: isDouble } =
    service.context.settings.auth.email;
  const letters = await transaction(service.pool, async (db) => {
    await db.query(
      `delete from auth.one_time_tokens
       where user_id = $1 and token_type in ('email_change_token_new', 'email_change_token_current')`,
      [account.id],
    );
    await db.query(
      `update auth.users set email_change = $2, email_change_sent_at = now(),
         email_change_confirm_status = 0, updated_at = now() where id = $1`,
      [account.id, newEmail],
    );
    if (challenge) await beginFlow(db, account.id, 'email_change', challenge);
    const issue = (type: 'email_change_token_new' | 'email_change_token_current', to: string) =>
      issueToken(db, account.id, type, to, length, challenge !== undefined);
    const made: { to: string; token: OneTimeToken }[] = [
      { to: newEmail, token: await issue('email_change_token_new', newEmail) },
    ];
    if (isDouble && account.email !== '') {
      const { email: to } = account;
      made.push({ to, token: await issue('email_change_token_current', to) });
    }
    return made;
  });
  service.later(request, async () => {
    for (const { to, token } of letters) {
      await sendMail(service, request, { kind: 'email_change', to, token, redirectTo, newEmail });
    }
  });
}
