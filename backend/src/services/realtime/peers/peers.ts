// The other processes on this database: who listens, what they say, and when one is gone.
// Each is known by its replication slot, which PostgreSQL removes with its connection, so a crash needs no farewell.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { SLOT_PREFIX } from '../changes/replication-stream.ts';
import { PEER_CHECK_MS, PEERS_WAIT_MS } from '../limits.ts';
import type { Broadcast } from '../socket/frames.ts';
import { type Head, PREFIX, type Present, seal, unseal } from './envelope.ts';
import { Outbox } from './outbox.ts';

export interface PeerListener {
  broadcast(topic: string, isPrivate: boolean, broadcast: Broadcast): void;
  /** Somebody present in another process came, changed, or went (no meta). */
  presence(peer: string, entry: Omit<Present, 'meta'> & { meta: Present['meta'] | null }): void;
  /** Everything that is present in another process; nothing when it is gone. */
  presences(peer: string, present: Present[]): void;
  /** What is present in this process. */
  ownPresences(): Present[];
}

const OTHER_SLOTS = `select slot_name as slot from pg_replication_slots
  where database = current_database() and slot_name like $1 and slot_name is distinct from $2`;

export class Peers {
  readonly #id = crypto.randomUUID();
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #log: FastifyBaseLogger;
  readonly #outbox: Outbox;
  readonly #listener: PeerListener;
  /** Slots by process. */
  readonly #known = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  #introduced: Promise<void> = Promise.resolve();
  #onKnown: () => void = () => {};

  constructor(
    { database, feed, log }: { database: Database; feed: ChangeFeed; log: FastifyBaseLogger },
    listener: PeerListener,
  ) {
    this.#database = database;
    this.#feed = feed;
    this.#log = log;
    this.#listener = listener;
    this.#outbox = new Outbox(database.owner, log);
    feed.onMessage(({ prefix, content }) => {
      if (prefix === PREFIX) this.#hear(content);
    });
    feed.watch((state) => {
      if (state === 'live') this.#introduced = this.#introduce();
    });
    this.#timer = setInterval(() => void this.#forgetTheGone(), PEER_CHECK_MS).unref();
  }

  /** @returns once the processes that listen have answered this one's hello, or the wait is over */
  introduced(): Promise<void> {
    return this.#introduced;
  }

  broadcast(topic: string, isPrivate: boolean, broadcast: Broadcast): void {
    const { payload, ...rest } = broadcast;
    this.#tell({ kind: 'broadcast', from: this.#id, topic, private: isPrivate, ...rest }, payload);
  }

  presence(entry: Omit<Present, 'meta'> & { meta: Present['meta'] | null }): void {
    this.#tell({ kind: 'presence', from: this.#id, ...entry });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#known.size > 0) this.#outbox.post(seal({ kind: 'bye', from: this.#id }));
    await this.#outbox.settled();
  }

  /** Alone on the database, a process writes nothing. Without a stream of its own it must look whether it is alone. */
  #tell(head: Head, payload?: Buffer): void {
    if (this.#known.size > 0) this.#outbox.post(seal(head, payload));
    else if (this.#feed.state === 'off') {
      void this.#otherSlots().then((slots) => {
        if (slots !== undefined && slots.length > 0) this.#outbox.post(seal(head, payload));
      });
    }
  }

  async #introduce(): Promise<void> {
    const { slot } = this.#feed;
    const others = (await this.#otherSlots()) ?? [];
    if (slot === undefined) return;
    this.#outbox.post(seal({ kind: 'hello', from: this.#id, slot }));
    const isComplete = (): boolean => {
      const slots = new Set(this.#known.values());
      return others.every((other) => slots.has(other));
    };
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PEERS_WAIT_MS);
      this.#onKnown = () => {
        if (!isComplete()) return;
        clearTimeout(timer);
        resolve();
      };
      this.#onKnown();
    });
  }

  #hear(content: Buffer): void {
    const message = unseal(content);
    if (message === undefined || message.head.from === this.#id) return;
    const { head, payload } = message;
    const { slot } = this.#feed;
    switch (head.kind) {
      case 'hello':
        this.#known.set(head.from, head.slot);
        if (slot !== undefined) {
          const present = this.#listener.ownPresences();
          this.#outbox.post(seal({ kind: 'here', from: this.#id, slot, to: head.from, present }));
        }
        break;
      case 'here':
        if (head.to !== this.#id) break;
        this.#known.set(head.from, head.slot);
        this.#listener.presences(head.from, head.present);
        this.#onKnown();
        break;
      case 'bye':
        this.#forget(head.from);
        break;
      case 'broadcast': {
        const { event, isJson, meta } = head;
        this.#listener.broadcast(head.topic, head.private, { event, isJson, meta, payload });
        break;
      }
      case 'presence':
        this.#listener.presence(head.from, head);
    }
  }

  #forget(peer: string): void {
    this.#known.delete(peer);
    this.#listener.presences(peer, []);
  }

  async #forgetTheGone(): Promise<void> {
    if (this.#known.size === 0) return;
    const before = [...this.#known];
    const others = await this.#otherSlots();
    if (others === undefined) return;
    const slots = new Set(others);
    for (const [peer, slot] of before) {
      // One that has said hello anew has another slot by now.
      if (!slots.has(slot) && this.#known.get(peer) === slot) this.#forget(peer);
    }
  }

  /** @returns undefined when the database did not answer */
  async #otherSlots(): Promise<string[] | undefined> {
    try {
      const { rows } = await this.#database.owner.query<{ slot: string }>(OTHER_SLOTS, [
        `${SLOT_PREFIX.replaceAll('_', '\\_')}%`,
        this.#feed.slot ?? null,
      ]);
      return rows.map(({ slot }) => slot);
    } catch (error) {
      this.#log.warn({ err: error }, 'other processes could not be looked for');
      return undefined;
    }
  }
}
