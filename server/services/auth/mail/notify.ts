// Tells the owner of an account by mail what happened to it, after the answer.
import type { FastifyRequest } from 'fastify';
import { company } from '#company';
import { layOut } from '../../../mail/layout.ts';
import { siteOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import { userAgentOf } from '../protection/audit.ts';
import { deviceName } from '../protection/device.ts';
import type { Service } from '../service.ts';
import type { Account } from '../users/account.ts';
import { type NoticeKind, noticeOf } from './notices.ts';

/** An account without a confirmed e-mail address hears nothing: the address may be somebody else's. */
export function notify(
  service: Service,
  request: FastifyRequest,
  kind: NoticeKind,
  account: Pick<Account, 'email' | 'email_confirmed_at'>,
): void {
  if (account.email === '' || account.email_confirmed_at === null) return;
  const { context } = service;
  const time = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: company.timeZone,
  }).format(context.now());
  const message = noticeOf(kind, {
    time,
    device: deviceName(userAgentOf(request)),
    address: addressOf(request),
    site: siteOf(context),
  });
  service.later(request, async () => {
    const { file } = await context.mailer.send(layOut(account.email, message));
    if (file !== undefined) request.log.info({ mail: kind, file }, 'mail written to the outbox');
  });
}
