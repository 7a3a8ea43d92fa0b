// Security notices that database functions write to auth.notices, in the transaction of the change itself.
import type { FastifyBaseLogger } from 'fastify';
import { MailQueue } from '../../../mail/mail-queue.ts';
import type { Service } from '../service.ts';
import type { NoticeKind } from './notices.ts';
import { noticeMail } from './notify.ts';

interface QueuedNotice {
  kind: NoticeKind;
  happened_at: Date;
  user_agent: string;
  address: string;
  /** Null without a confirmed address: no mail is sent. */
  email: string | null;
}

export function queuedNotices(
  { context, pool }: Service,
  log: FastifyBaseLogger,
): MailQueue<QueuedNotice> {
  return new MailQueue<QueuedNotice>(
    {
      pool,
      table: 'auth.notices',
      key: 'id',
      columns: `taken.kind, taken.happened_at, taken.user_agent, coalesce(host(taken.ip), 'unknown') as address,
        case when u.email_confirmed_at is not null then nullif(u.email, '') end as email`,
      join: 'join auth.users u on u.id = taken.user_id',
      send: async ({ kind, happened_at: at, user_agent: userAgent, address, email }) => {
        if (email === null) return {};
        return context.mailer.send(noticeMail(context, email, kind, { at, userAgent, address }));
      },
    },
    log,
  );
}
