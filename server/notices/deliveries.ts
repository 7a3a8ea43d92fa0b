// The queue of messages: taking due ones with a lease, and what came of each. A process that dies while it sends leaves a
// lease that runs out, and another process sends the message again: at least once, and twice only in that window.
import type { Pool } from 'pg';
import type { Notice } from './message.ts';

/** Longer than one round of sending may take. */
const LEASE = '2 minutes';
/** Sent in one round, at the same time. */
const ROUND = 10;

export interface Subscription {
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface Delivery {
  id: string;
  user_id: string;
  channel: 'push' | 'email' | 'sms';
  /** Counts the leases: only the holder of the newest one marks the delivery. */
  attempts: number;
  email: string | null;
  /** E.164. */
  phone: string | null;
  /** Unread ones, oldest first. */
  notices: Notice[];
  /** For push: those that have not received it. */
  subscriptions: Subscription[];
}

/** Skips disabled accounts, sessions that have ended, and what the person no longer wants. */
const TAKE = `
  with due as (
    select d.id from private.notice_deliveries d
    where d.state in ('open', 'sending') and d.next_at <= now()
    order by d.next_at limit ${ROUND} for update skip locked
  ), taken as (
    update private.notice_deliveries d
    set state = 'sending', attempts = d.attempts + 1, next_at = now() + interval '${LEASE}'
    from due where d.id = due.id
    returning d.*
  )
  select t.id, t.user_id, t.channel, t.attempts, p.email, p.phone,
    case when account.is_open then (
      select coalesce(jsonb_agg(jsonb_build_object('title', n.title, 'body', n.body, 'link', n.link,
        'answer', case when n.kind = 'welfare' and t.channel = 'push' then private.welfare_answer(n.dedupe_key) end)
        order by n.created_at, n.id), '[]')
      from public.notices n where n.id = any (t.notice_ids) and n.read_at is null
        and (t.channel <> 'sms' or private.wants_text(w.sms, n.kind))
    ) else '[]' end as notices,
    case when t.channel = 'push' then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', u.id, 'endpoint', u.endpoint, 'p256dh', u.p256dh, 'auth', u.auth)), '[]')
      from private.push_subscriptions u
      where u.user_id = t.user_id and u.id <> all (t.sent_to) and private.is_push_service(u.endpoint)
        and (u.session_id is null or exists (select from auth.sessions s where s.id = u.session_id))
    ) else '[]' end as subscriptions
  from taken t
  join public.profiles p on p.id = t.user_id
  left join private.notice_settings w on w.user_id = t.user_id
  cross join lateral (
    select exists (
      select from auth.users a
      where a.id = t.user_id and a.deleted_at is null and (a.banned_until is null or a.banned_until <= now())
    ) and case t.channel
      when 'push' then coalesce(w.push, true)
      when 'email' then coalesce(w.email, true)
      else true
    end as is_open
  ) account`;

/** Retried after 1, 2, 4, … minutes, at most every hour; given up after a day. */
const RETRY = `
  update private.notice_deliveries d set
    last_error = $3,
    state = case when d.created_at < now() - interval '1 day' then 'failed' else 'sending' end,
    next_at = now() + least(interval '1 hour', interval '1 minute' * 2 ^ (d.attempts - 1))
  where d.id = $1 and d.attempts = $2 and d.state = 'sending'`;

export class Deliveries {
  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  async take(): Promise<Delivery[]> {
    const { rows } = await this.pool.query<Delivery>(TAKE);
    return rows;
  }

  async markSent({ id, attempts }: Delivery): Promise<void> {
    await this.pool.query(
      `update private.notice_deliveries set state = 'sent', sent_at = now(), last_error = null
       where id = $1 and attempts = $2 and state = 'sending'`,
      [id, attempts],
    );
  }

  async retryLater({ id, attempts }: Delivery, reason: string): Promise<void> {
    await this.pool.query(RETRY, [id, attempts, reason.slice(0, 500)]);
  }

  /** A device has received it. */
  async markDevice({ id }: Delivery, subscription: Subscription): Promise<void> {
    await this.pool.query(
      `update private.notice_deliveries set sent_to = sent_to || $2::uuid where id = $1`,
      [id, subscription.id],
    );
  }

  /** The browser has ended the subscription. */
  async forgetDevice({ id }: Subscription): Promise<void> {
    await this.pool.query('delete from private.push_subscriptions where id = $1', [id]);
  }

  /** Ends subscriptions of sessions that are gone, and forgets deliveries after a month. */
  async prune(): Promise<void> {
    await this.pool.query(`
      delete from private.push_subscriptions u
      where u.session_id is not null and not exists (select from auth.sessions s where s.id = u.session_id);
      delete from private.notice_deliveries d
      where d.created_at < now() - interval '30 days' and d.state in ('sent', 'failed')`);
  }
}
