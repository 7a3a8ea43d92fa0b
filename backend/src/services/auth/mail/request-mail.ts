// Creates a one-time token and mails it: every mail with a link to an account goes through here.
import type { FastifyRequest } from 'fastify';
import { transaction } from '../database.ts';
import { type AuditAction, audit } from '../protection/audit.ts';
import type { Service } from '../service.ts';
import { issueToken, type TokenType } from '../tokens/one-time-token.ts';
import { beginFlow, type Challenge } from '../tokens/pkce.ts';
import type { Account } from '../users/account.ts';
import type { MailKind } from './messages.ts';
import { sendMail } from './send-mail.ts';

interface Route {
  token: TokenType;
  /** Column with the time of the last such mail. */
  sentAt: 'confirmation_sent_at' | 'recovery_sent_at' | 'invited_at' | 'reauthentication_sent_at';
  action: AuditAction;
  /** GoTrue's name of the flow that the link completes. */
  flow: string;
}

export const ROUTES: Record<Exclude<MailKind, 'email_change'>, Route> = {
  signup: {
    token: 'confirmation_token',
    sentAt: 'confirmation_sent_at',
    action: 'user_confirmation_requested',
    flow: 'email/signup',
  },
  invite: {
    token: 'confirmation_token',
    sentAt: 'invited_at',
    action: 'user_invited',
    flow: 'invite',
  },
  magiclink: {
    token: 'recovery_token',
    sentAt: 'recovery_sent_at',
    action: 'user_recovery_requested',
    flow: 'magiclink',
  },
  recovery: {
    token: 'recovery_token',
    sentAt: 'recovery_sent_at',
    action: 'user_recovery_requested',
    flow: 'recovery',
  },
  reauthentication: {
    token: 'reauthentication_token',
    sentAt: 'reauthentication_sent_at',
    action: 'user_reauthenticate_requested',
    flow: 'reauthentication',
  },
};

/** Stores the token and the time, and sends the mail after the commit. */
export async function requestMail(
  service: Service,
  request: FastifyRequest,
  kind: keyof typeof ROUTES,
  account: Pick<Account, 'id' | 'email'>,
  redirectTo: string,
  challenge?: Challenge,
): Promise<void> {
  const route = ROUTES[kind];
  const { otp_length: length } = service.context.settings.auth.email;
  const token = await transaction(service.pool, async (db) => {
    if (challenge) await beginFlow(db, account.id, route.flow, challenge);
    await db.query(`update auth.users set ${route.sentAt} = now() where id = $1`, [account.id]);
    await audit(db, request, route.action, account);
    return issueToken(db, account.id, route.token, account.email, length, challenge !== undefined);
  });
  await sendMail(service, request, { kind, to: account.email, token, redirectTo });
}
