// Sends the mail with a one-time token.
import type { FastifyRequest } from 'fastify';
import { layOut } from '../../../mail/layout.ts';
import type { Service } from '../service.ts';
import { issuerOf } from '../tokens/access-token.ts';
import type { OneTimeToken } from '../tokens/one-time-token.ts';
import { type MailKind, messageOf } from './messages.ts';

export interface Letter {
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
  return `${issuerOf(service.context)}/verify?${query}`;
}

export async function sendMail(
  service: Service,
  request: FastifyRequest,
  { kind, to, token, redirectTo, newEmail = '' }: Letter,
): Promise<void> {
  const link = verifyLink(service, kind, token.hash, redirectTo);
  const { organisation, logMailLinks } = service.context.application;
  const message = messageOf(kind, { link, code: token.code, newEmail }, organisation);
  const { file } = await service.context.mailer.send(layOut(to, message, organisation));
  if (file === undefined) return;
  const shown = logMailLinks ? { link } : {};
  request.log.warn({ mail: kind, file, ...shown }, 'mail written to the outbox');
}
