import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { SLOT_PREFIX } from '../changes/replication-stream.ts';
import { PEER_CHECK_MS, PEERS_WAIT_MS } from '../limits.ts';
import type { Broadcast } from '../socket/frames.ts';
import {
  decodeMessage,
  encodeMessage,
  type Head,
  PREFIX,
  type PresenceEntry,
  WalWriter,
} from './messages.ts';

export interface PeerListener {
  broadcast(topic: string, isPrivate: boolean, broadcast: Broadcast): void;
  /** A presence entry of another process was added, changed, or removed (`meta` is null). */
  presence(peer: string, entry: EntryChange): void;
  /** All presence entries of another process; none when it has ended. */
  presences(peer: string, entries: PresenceEntry[]): void;
  /** Presence entries of this process. */
  localPresences(): PresenceEntry[];
}

type EntryChange = Omit<PresenceEntry, 'meta'> & { meta: PresenceEntry['meta'] | null };

const OTHER_SLOTS = `select slot_name as slot from pg_replication_slots
  where database = current_database() and slot_name like $1 and slot_name is distinct from $2`;

/**
 * The other processes on this database. Each is identified by its replication slot, which PostgreSQL removes with the
 * connection, so that a crash is noticed too.
 */
export class Peers {
  readonly #id = crypto.randomUUID();
  readonly #writer: WalWriter;
  /** Slots by process. */
  readonly #known = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  #introduced: Promise<void> = Promise.resolve();
  #onKnown: () => void = () => {};

  constructor(
    private readonly owner: Database['owner'],
    private readonly feed: ChangeFeed,
    private readonly log: FastifyBaseLogger,
    private readonly listener: PeerListener,
  ) {
    this.#writer = new WalWriter(owner, log);
    feed.onMessage(({ prefix, content }) => {
      if (prefix === PREFIX) this.#receive(content);
    });
    feed.watch((state) => {
      if (state === 'live') this.#introduced = this.#introduce();
    });
    this.#timer = setInterval(() => void this.#removeEnded(), PEER_CHECK_MS).unref();
  }

  /** Resolves when the other processes have replied to this one's `hello`, or after a limit. */
  introduced(): Promise<void> {
    return this.#introduced;
  }

  broadcast(topic: string, isPrivate: boolean, broadcast: Broadcast): void {
    const { payload, ...rest } = broadcast;
    this.#send({ kind: 'broadcast', from: this.#id, topic, private: isPrivate, ...rest }, payload);
  }

  presence(entry: EntryChange): void {
    this.#send({ kind: 'presence', from: this.#id, ...entry });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#known.size > 0) this.#write({ kind: 'bye', from: this.#id });
    await this.#writer.settled();
  }

  #write(head: Head, payload?: Buffer): void {
    this.#writer.write(encodeMessage(head, payload));
  }

  /** Writes nothing if there is no other process, which without a stream of its own must be queried. */
  #send(head: Head, payload?: Buffer): void {
    if (this.#known.size > 0) this.#write(head, payload);
    else if (this.feed.state === 'off') {
      void this.#otherSlots().then((slots) => {
        if (slots !== undefined && slots.length > 0) this.#write(head, payload);
      });
    }
  }

  async #introduce(): Promise<void> {
    const { slot } = this.feed;
    const others = (await this.#otherSlots()) ?? [];
    if (slot === undefined) return;
    this.#write({ kind: 'hello', from: this.#id, slot });
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

  #receive(content: Buffer): void {
    const message = decodeMessage(content);
    if (message === undefined || message.head.from === this.#id) return;
    const { head, payload } = message;
    const { slot } = this.feed;
    switch (head.kind) {
      case 'hello':
        this.#known.set(head.from, head.slot);
        if (slot !== undefined) {
          const present = this.listener.localPresences();
          this.#write({ kind: 'here', from: this.#id, slot, to: head.from, present });
        }
        break;
      case 'here':
        if (head.to !== this.#id) break;
        this.#known.set(head.from, head.slot);
        this.listener.presences(head.from, head.present);
        this.#onKnown();
        break;
      case 'bye':
        this.#remove(head.from);
        break;
      case 'broadcast': {
        const { event, isJson, meta } = head;
        this.listener.broadcast(head.topic, head.private, { event, isJson, meta, payload });
        break;
      }
      case 'presence':
        this.listener.presence(head.from, head);
    }
  }

  #remove(peer: string): void {
    this.#known.delete(peer);
    this.listener.presences(peer, []);
  }

  async #removeEnded(): Promise<void> {
    if (this.#known.size === 0) return;
    const before = [...this.#known];
    const others = await this.#otherSlots();
    if (others === undefined) return;
    const slots = new Set(others);
    for (const [peer, slot] of before) {
      // A process that has reconnected in the meantime has another slot.
      if (!slots.has(slot) && this.#known.get(peer) === slot) this.#remove(peer);
    }
  }

  /** @returns undefined when the query failed */
  async #otherSlots(): Promise<string[] | undefined> {
    try {
      const { rows } = await this.owner.query<{ slot: string }>(OTHER_SLOTS, [
        `${SLOT_PREFIX.replaceAll('_', '\\_')}%`,
        this.feed.slot ?? null,
      ]);
      return rows.map(({ slot }) => slot);
    } catch (error) {
      this.log.warn({ err: error }, 'could not look for other processes');
      return undefined;
    }
  }
}
