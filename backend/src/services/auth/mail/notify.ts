// Security notices by mail to the owner of an account, sent after the response.
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { layOut } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/mailer.ts';
import { siteOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import { userAgentOf } from '../protection/audit.ts';
import { deviceName } from '../protection/device.ts';
import type { Service } from '../service.ts';
import type { Account } from '../users/account.ts';
import { type NoticeKind, noticeOf } from './notices.ts';

/** Who caused it, and when. */
interface Deed {
  at: Date;
  userAgent: string;
  /** IP address. */
  address: string;
}

export function noticeMail(context: Context, to: string, kind: NoticeKind, deed: Deed): Mail {
  const { organisation } = context.application;
  const time = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: organisation.timeZone,
  })
    .format(deed.at)
    // The space before AM or PM is a narrow one, which some mail programs can't display.
    .replaceAll('\u202f', ' ');
  const device = deviceName(deed.userAgent);
  const facts = { time, device, address: deed.address, site: siteOf(context) };
  return layOut(to, noticeOf(kind, facts, organisation), organisation);
}

/** Only to confirmed addresses: an unconfirmed one may belong to someone else. */
export function notify(
  service: Service,
  request: FastifyRequest,
  kind: NoticeKind,
  account: Pick<Account, 'email' | 'email_confirmed_at'>,
): void {
  if (account.email === '' || account.email_confirmed_at === null) return;
  const { context } = service;
  const deed = {
    at: context.now(),
    userAgent: userAgentOf(request),
    address: addressOf(request),
  };
  const mail = noticeMail(context, account.email, kind, deed);
  service.later(request, async () => {
    const { file } = await context.mailer.send(mail);
    if (file !== undefined) request.log.info({ mail: kind, file }, 'mail written to the outbox');
  });
}
