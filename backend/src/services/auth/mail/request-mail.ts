import { layOut } from '../../../mail/layout.ts';
import { sql, transaction } from '../database.ts';
import { authError } from '../errors.ts';
import type { Call, Service } from '../service.ts';
import { readIssuer } from '../sessions/tokens.ts';
import {
  issueToken,
  type OneTimeToken,
  PURPOSES,
  recordRequest,
} from '../tokens/one-time-token.ts';
import { beginFlow, type Challenge } from '../tokens/pkce.ts';
import { type Account, accountByEmail } from '../users/account.ts';
import { buildMessages, type MailKind } from './texts.ts';

/** Stores the token and the time, and sends the mail after the commit. */
export async function requestMail(
  call: Call,
  kind: Exclude<MailKind, 'email_change'>,
  account: Pick<Account, 'id' | 'email'>,
  redirectTo: string,
  challenge?: Challenge,
): Promise<void> {
  const [type] = PURPOSES[kind];
  const { otp_length: length } = call.context.settings.auth.email;
  const token = await transaction(call.pool, async (db) => {
    if (challenge) await beginFlow(db, account.id, kind, challenge);
    await recordRequest(db, call, kind, account);
    return issueToken(db, account.id, type, account.email, length, challenge !== undefined);
  });
  await sendMail(call, { kind, to: account.email, token, redirectTo });
}

// Requests the confirmation of a new e-mail address, from the new one and, if so configured, from the old one too.

/** @param newEmail canonical; @throws AuthError 422 if another account has the address */
export async function requestEmailChange(
  call: Call,
  account: Account,
  newEmail: string,
  redirectTo: string,
  challenge?: Challenge,
): Promise<void> {
  if (await accountByEmail(call.pool, newEmail)) throw authError('emailExists');
  await call.limits.mail('email_change', newEmail);
  const { otp_length: length, double_confirm_changes: isDouble } = call.context.settings.auth.email;
  const mails = await transaction(call.pool, async (db) => {
    await db.query(sql`
      delete from auth.one_time_tokens
      where user_id = ${account.id} and token_type in ('email_change_token_new', 'email_change_token_current')`);
    await db.query(sql`
      update auth.users set email_change = ${newEmail}, email_change_sent_at = now(),
        email_change_confirm_status = 0, updated_at = now() where id = ${account.id}`);
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
  call.later(async () => {
    for (const { to, token } of mails) {
      await sendMail(call, { kind: 'email_change', to, token, redirectTo, newEmail });
    }
  });
}

interface Letter {
  kind: MailKind;
  to: string;
  token: OneTimeToken;
  redirectTo: string;
  newEmail?: string;
}

/** The link that confirms when it is opened. */
export function verifyLink(
  service: Service,
  kind: MailKind,
  tokenHash: string,
  redirectTo: string,
): string {
  const query = new URLSearchParams({ token: tokenHash, type: kind, redirect_to: redirectTo });
  return `${readIssuer(service.context)}/verify?${query}`;
}

export async function sendMail(
  call: Call,
  { kind, to, token, redirectTo, newEmail = '' }: Letter,
): Promise<void> {
  const link = verifyLink(call, kind, token.hash, redirectTo);
  const { organisation, logMailLinks } = call.context.application;
  const message = buildMessages({ link, code: token.code, newEmail }, organisation)[kind];
  const { file } = await call.context.mailer.send(layOut(to, message, organisation));
  if (file === undefined) return;
  const shown = logMailLinks ? { link } : {};
  call.request.log.warn({ mail: kind, file, ...shown }, 'mail written to the outbox');
}
