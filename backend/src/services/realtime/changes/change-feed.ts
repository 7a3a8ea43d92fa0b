// The stream of changes as the rest of the service sees it: subscribe bindings, hear what the service itself needs to
// know, learn whether changes are live.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { Dispatcher } from './dispatcher.ts';
import { Feed, type FeedState } from './feed.ts';
import type { Change, LogMessage, Relation } from './pgoutput.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';

export type OwnTable = 'realtime.messages' | 'auth.sessions' | 'auth.users';

const nameOf = ({ schema, name }: Relation): string => `${schema}.${name}`;

export class ChangeFeed {
  readonly #subscriptions = new Subscriptions();
  readonly #listeners = new Set<(state: FeedState) => void>();
  /** By table. Their changes are for the service alone: no subscriber hears of users and sessions. */
  readonly #own = new Map<string, (change: Change) => void>();
  readonly #feed: Feed;
  readonly #dispatcher: Dispatcher;
  #onMessage: (message: LogMessage) => void = () => {};
  #slot: string | undefined;
  #holders = 0;

  constructor(database: Database, log: FastifyBaseLogger) {
    const subscriptions = this.#subscriptions;
    this.#dispatcher = new Dispatcher({ database, subscriptions, log }, (error) => {
      log.warn({ err: error }, 'changes could not be delivered');
      this.#feed.interrupt();
    });
    this.#feed = new Feed({
      owner: database.ownerConnection,
      log,
      handlers: {
        wants: (relation) => this.#own.has(nameOf(relation)) || subscriptions.wants(relation),
        onChange: (change) => this.#take(change),
      },
      onSlot: (slot) => {
        this.#slot = slot;
      },
      onState: (state) => {
        if (state !== 'live') this.#slot = undefined;
        for (const listener of [...this.#listeners]) listener(state);
      },
    });
  }

  #take(change: Change | LogMessage): Promise<void> | undefined {
    if (change.type === 'MESSAGE') {
      this.#onMessage(change);
      return undefined;
    }
    const own = this.#own.get(nameOf(change.relation));
    if (own === undefined) return this.#dispatcher.add(change);
    own(change);
    return undefined;
  }

  get state(): FeedState {
    return this.#feed.state;
  }

  /** The slot of the running stream: other processes see by it that this one listens. */
  get slot(): string | undefined {
    return this.#slot;
  }

  /** @returns how to stop listening to the state */
  watch(listener: (state: FeedState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onRow(table: OwnTable, listener: (change: Change) => void): void {
    this.#own.set(table, listener);
  }

  onMessage(listener: (message: LogMessage) => void): void {
    this.#onMessage = listener;
  }

  /** A channel is there: the stream runs for as long as one is. */
  hold(): void {
    this.#holders += 1;
    this.#feed.want();
  }

  letGo(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#feed.release();
  }

  subscribe(subscriptions: Subscription[]): void {
    for (const subscription of subscriptions) this.#subscriptions.add(subscription);
  }

  unsubscribe(subscriptions: Subscription[]): void {
    for (const subscription of subscriptions) this.#subscriptions.remove(subscription);
  }

  /** @returns once the state is settled (live or known not to be), or after the limit */
  settled(limitMs: number): Promise<void> {
    if (this.state === 'live' || this.state === 'unavailable') return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        unwatch();
        resolve();
      };
      const timer = setTimeout(end, limitMs);
      const unwatch = this.watch((state) => {
        if (state === 'live' || state === 'unavailable') end();
      });
    });
  }

  async close(): Promise<void> {
    await this.#feed.close();
    await this.#dispatcher.close();
  }
}
