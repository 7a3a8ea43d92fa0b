// Creates a one-time code for a phone number of an account and sends it.
import type { FastifyRequest } from 'fastify';
import { transaction } from '../database.ts';
import { type AuditAction, audit } from '../protection/audit.ts';
import type { Service } from '../service.ts';
import { keepToken, type TokenType } from '../tokens/one-time-token.ts';
import { codeFor, sendCode } from './send-code.ts';

interface Route {
  token: TokenType;
  /** Column with the time of the last such message. */
  sentAt: 'confirmation_sent_at' | 'phone_change_sent_at' | 'reauthentication_sent_at';
  action: AuditAction;
}

const ROUTES = {
  sms: {
    token: 'confirmation_token',
    sentAt: 'confirmation_sent_at',
    action: 'user_confirmation_requested',
  },
  phone_change: {
    token: 'phone_change_token',
    sentAt: 'phone_change_sent_at',
    action: 'user_confirmation_requested',
  },
  reauthentication: {
    token: 'reauthentication_token',
    sentAt: 'reauthentication_sent_at',
    action: 'user_reauthenticate_requested',
  },
} as const satisfies Record<string, Route>;

/** @param phone E.164 digits that the code is sent to; for a change, the new number */
export async function requestSms(
  service: Service,
  request: FastifyRequest,
  kind: keyof typeof ROUTES,
  userId: string,
  phone: string,
): Promise<void> {
  const route = ROUTES[kind];
  const { sms, email } = service.context.settings.auth;
  const code = codeFor(service, phone, email.otp_length);
  await transaction(service.pool, async (db) => {
    await db.query(`update auth.users set ${route.sentAt} = now() where id = $1`, [userId]);
    await audit(db, request, route.action, { id: userId });
    await keepToken(db, userId, route.token, phone, code);
  });
  sendCode(service, request, sms.template, { phone, code, userId });
}
