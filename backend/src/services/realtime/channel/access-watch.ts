// Closes the channels of people who were signed out, disabled or deleted: their tokens would be good for a while longer.
// Told at once by the stream of changes; asked of the database for who has just joined, and time and again for what the
// stream does not tell: its gaps, sessions that end by their age, a server without a stream.
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { jsonText } from '../changes/json-values.ts';
import type { Change } from '../changes/pgoutput.ts';
import { gathered } from '../gather.ts';
import { ACCESS_CHECK_MS, ACCESS_CHECK_WITHOUT_STREAM_MS } from '../limits.ts';
import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';

const ENDED = `
  select claimed.id from unnest($1::uuid[], $2::uuid[]) as claimed (id, user_id)
  where not exists (
    select from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = claimed.id and s.user_id = claimed.user_id
      and (s.not_after is null or s.not_after > now())
      and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null)`;

export class AccessWatch {
  readonly #auth: Database['auth'];
  readonly #feed: ChangeFeed;
  readonly #hub: Hub;
  readonly #log: FastifyBaseLogger;
  readonly #timer: NodeJS.Timeout;
  readonly #checkSoon: (key: string) => Promise<void>;
  #unchecked = new Set<Channel>();
  #lastCheck = 0;

  constructor(
    { database, feed, log }: { database: Database; feed: ChangeFeed; log: FastifyBaseLogger },
    hub: Hub,
  ) {
    this.#auth = database.auth;
    this.#feed = feed;
    this.#hub = hub;
    this.#log = log;
    feed.onRow('auth.sessions', (change) => {
      if (change.type === 'DELETE') this.#end('id', [textOf(change, 'id')]);
    });
    feed.onRow('auth.users', (change) => {
      if (isShutOut(change)) this.#end('userId', [textOf(change, 'id')]);
    });
    feed.watch((state) => {
      if (state === 'live') this.#checkAll();
    });
    this.#checkSoon = gathered(() => {
      const channels = [...this.#unchecked];
      this.#unchecked = new Set();
      return this.#check(channels);
    });
    this.#timer = setInterval(() => this.#checkIfDue(), ACCESS_CHECK_WITHOUT_STREAM_MS).unref();
  }

  /** A channel has joined or brought another token: its session may have ended before. */
  look(channel: Channel): void {
    if (channel.rights.session === undefined) return;
    this.#unchecked.add(channel);
    void this.#checkSoon('');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #checkIfDue(): void {
    const isDue = Date.now() - this.#lastCheck >= ACCESS_CHECK_MS;
    if (isDue || this.#feed.state !== 'live') this.#checkAll();
  }

  #checkAll(): void {
    this.#lastCheck = Date.now();
    for (const channel of this.#hub.channels()) this.look(channel);
  }

  async #check(channels: Channel[]): Promise<void> {
    const open = new Map<string, string>();
    for (const { rights } of channels) {
      if (rights.session) open.set(rights.session.id, rights.session.userId);
    }
    if (open.size === 0) return;
    try {
      const { rows } = await this.#auth.query<{ id: string }>(ENDED, [
        [...open.keys()],
        [...open.values()],
      ]);
      this.#end(
        'id',
        rows.map(({ id }) => id),
      );
    } catch (error) {
      this.#log.warn({ err: error }, 'sessions could not be looked at');
    }
  }

  #end(name: 'id' | 'userId', ids: (string | undefined)[]): void {
    if (ids.length === 0) return;
    const ended = new Set(ids);
    for (const channel of this.#hub.channels()) {
      const { session } = channel.rights;
      if (session && ended.has(session[name])) this.#hub.expel(channel, 'Session has ended');
    }
  }
}

function textOf({ relation, old, record }: Change, column: string): string | undefined {
  const at = relation.columns.findIndex(({ name }) => name === column);
  return (record ?? old)?.[at] ?? undefined;
}

/** Decided from the change itself: the database may not show it to others yet. */
function isShutOut(change: Change): boolean {
  if (change.type === 'DELETE' || textOf(change, 'deleted_at') !== undefined) return true;
  const until = textOf(change, 'banned_until');
  if (until === undefined) return false;
  const time = jsonText(until, { kind: 'timestamptz', isArray: false });
  // `infinity` is no time at all, and not over either.
  return !(Date.parse(z.string().parse(JSON.parse(time))) <= Date.now());
}
