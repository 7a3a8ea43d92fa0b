// Closes the channels of users who were signed out, banned or deleted, although their tokens are valid for a while longer.
// The change stream reports most of it at once. The database is queried for channels that have just joined, and
// periodically for what the stream does not report: its gaps, expired sessions, and databases without a stream.
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import type { Change } from '../changes/pgoutput.ts';
import { jsonText } from '../changes/tables.ts';
import { coalesced } from '../coalesce.ts';
import { SESSION_CHECK_MS, SESSION_CHECK_WITHOUT_STREAM_MS } from '../limits.ts';
import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';

const ENDED = `
  select claimed.id from unnest($1::uuid[], $2::uuid[]) as claimed (id, user_id)
  where not exists (
    select from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = claimed.id and s.user_id = claimed.user_id
      and (s.not_after is null or s.not_after > now())
      and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null)`;

export class SessionWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #checkSoon: (key: string) => Promise<void>;
  #unchecked = new Set<Channel>();
  #lastCheck = 0;

  constructor(
    private readonly auth: Database['auth'],
    private readonly feed: ChangeFeed,
    private readonly hub: Hub,
    private readonly log: FastifyBaseLogger,
  ) {
    feed.onRow('auth.sessions', (change) => {
      if (change.type === 'DELETE') this.#end('id', [textOf(change, 'id')]);
    });
    feed.onRow('auth.users', (change) => {
      if (isBlocked(change)) this.#end('userId', [textOf(change, 'id')]);
    });
    feed.watch((state) => {
      if (state === 'live') this.#checkAll();
    });
    this.#checkSoon = coalesced(() => {
      const channels = [...this.#unchecked];
      this.#unchecked = new Set();
      return this.#check(channels);
    });
    this.#timer = setInterval(() => this.#checkIfDue(), SESSION_CHECK_WITHOUT_STREAM_MS).unref();
  }

  /** Checks a channel that has joined or sent a new token: its session may have ended before. */
  check(channel: Channel): void {
    if (channel.rights.session === undefined) return;
    this.#unchecked.add(channel);
    void this.#checkSoon('');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #checkIfDue(): void {
    const isDue = Date.now() - this.#lastCheck >= SESSION_CHECK_MS;
    if (isDue || this.feed.state !== 'live') this.#checkAll();
  }

  #checkAll(): void {
    this.#lastCheck = Date.now();
    for (const channel of this.hub.channels()) this.check(channel);
  }

  async #check(channels: Channel[]): Promise<void> {
    const open = new Map<string, string>();
    for (const { rights } of channels) {
      if (rights.session) open.set(rights.session.id, rights.session.userId);
    }
    if (open.size === 0) return;
    try {
      const { rows } = await this.auth.query<{ id: string }>(ENDED, [
        [...open.keys()],
        [...open.values()],
      ]);
      this.#end(
        'id',
        rows.map(({ id }) => id),
      );
    } catch (error) {
      this.log.warn({ err: error }, 'could not check sessions');
    }
  }

  #end(name: 'id' | 'userId', ids: (string | undefined)[]): void {
    if (ids.length === 0) return;
    const ended = new Set(ids);
    for (const channel of this.hub.channels()) {
      const { session } = channel.rights;
      if (session && ended.has(session[name])) this.hub.close(channel, 'Session has ended');
    }
  }
}

function textOf({ relation, old, record }: Change, column: string): string | undefined {
  const at = relation.columns.findIndex(({ name }) => name === column);
  return (record ?? old)?.[at] ?? undefined;
}

/** Reads the change itself, because it may not be visible to queries yet. */
function isBlocked(change: Change): boolean {
  if (change.type === 'DELETE' || textOf(change, 'deleted_at') !== undefined) return true;
  const until = textOf(change, 'banned_until');
  if (until === undefined) return false;
  const time = jsonText(until, { kind: 'timestamptz', isArray: false });
  // Negated, because `infinity` parses as NaN.
  return !(Date.parse(z.string().parse(JSON.parse(time))) <= Date.now());
}
