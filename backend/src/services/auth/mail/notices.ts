// Security notices by mail to the owner of an account, sent after the response.
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { layOut } from '../../../mail/layout.ts';
import { MailQueue } from '../../../mail/mail-queue.ts';
import type { Mail } from '../../../mail/mailer.ts';
import { type Db, sql } from '../database.ts';
import { readSiteUrl } from '../input/redirect.ts';
import { deviceName, hashCaller, networkHash } from '../protection/caller.ts';
import type { Call, Service } from '../service.ts';
import type { Account } from '../users/account.ts';
import { buildNotice, type NoticeKind } from './texts.ts';

/** Who caused it, and when. */
interface SecurityEvent {
  at: Date;
  userAgent: string;
  address: string;
}

export function noticeMail(
  context: Context,
  to: string,
  kind: NoticeKind,
  event: SecurityEvent,
): Mail {
  const { organisation } = context.application;
  const time = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: organisation.timeZone,
  })
    .format(event.at)
    // The space before AM or PM is a narrow one, which some mail programs can't display.
    .replaceAll('\u202f', ' ');
  const device = deviceName(event.userAgent);
  const facts = { time, device, address: event.address, site: readSiteUrl(context) };
  return layOut(to, buildNotice(kind, facts, organisation), organisation);
}

/** Only to confirmed addresses: an unconfirmed one may belong to someone else. */
export function notify(
  call: Call,
  kind: NoticeKind,
  account: Pick<Account, 'email' | 'email_confirmed_at'>,
): void {
  if (account.email === '' || account.email_confirmed_at === null) return;
  const { context } = call;
  const event = {
    at: context.now(),
    userAgent: call.userAgent,
    address: call.address,
  };
  const mail = noticeMail(context, account.email, kind, event);
  call.later(async () => {
    const { file } = await context.mailer.send(mail);
    if (file !== undefined)
      call.request.log.info({ mail: kind, file }, 'mail written to the outbox');
  });
}

// Security notices that database functions write to auth.notices, in the transaction of the change itself.
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
        coalesce(taken.email, case when u.email_confirmed_at is not null then nullif(u.email, '') end) as email`,
      join: 'join auth.users u on u.id = taken.user_id',
      send: async ({ kind, happened_at: at, user_agent: userAgent, address, email }) => {
        if (email === null) return {};
        return context.mailer.send(noticeMail(context, email, kind, { at, userAgent, address }));
      },
    },
    log,
  );
}

// Detects the first sign-in of an account on a device, and mails its owner after the response.
const newcomers = new WeakMap<FastifyRequest, Account>();

/** Records device and network. Every device but the account's first is marked for a mail. */
export async function rememberDevice(db: Db, call: Call, account: Account): Promise<void> {
  const { rows } = await db.query<{ is_new: boolean }>(sql`
    with network as (
        insert into auth.known_networks (user_id, network) values (${account.id}, ${networkHash(call)})
        on conflict (user_id, network) do update set seen_at = now()
      ), known as (select exists (select from auth.seen_devices where user_id = ${account.id}) as any),
      seen as (
        insert into auth.seen_devices (user_id, fingerprint) values (${account.id}, ${hashCaller(call)})
        on conflict (user_id, fingerprint) do update set seen_at = now()
        returning xmax = 0 as is_fresh
      )
    select seen.is_fresh and known.any as is_new from seen, known`);
  if (rows[0]?.is_new) newcomers.set(call.request, account);
}

/** After the response, when the sign-in is committed. */
export function notifyNewDevice(call: Call): void {
  const account = newcomers.get(call.request);
  if (account === undefined || call.reply.statusCode >= 400) return;
  notify(call, 'new_device', account);
}
