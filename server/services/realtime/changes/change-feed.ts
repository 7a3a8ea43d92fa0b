// The change feed as the channels see it: subscribe bindings, learn whether changes are live.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { Dispatcher } from './dispatcher.ts';
import { Feed, type FeedState } from './feed.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';

export class ChangeFeed {
  readonly #subscriptions = new Subscriptions();
  readonly #listeners = new Set<(state: FeedState) => void>();
  readonly #feed: Feed;

  constructor(database: Database, log: FastifyBaseLogger) {
    const subscriptions = this.#subscriptions;
    const dispatcher = new Dispatcher({ database, subscriptions, log }, (error) => {
      log.warn({ err: error }, 'changes could not be delivered');
      this.#feed.interrupt();
    });
    this.#feed = new Feed({
      owner: database.ownerConnection,
      log,
      handlers: {
        wants: (relation) => subscriptions.wants(relation),
        onChange: (change) => dispatcher.add(change),
      },
      onState: (state) => {
        for (const listener of [...this.#listeners]) listener(state);
      },
    });
  }

  get state(): FeedState {
    return this.#feed.state;
  }

  /** @returns how to stop listening to the state */
  watch(listener: (state: FeedState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  subscribe(subscriptions: Subscription[]): void {
    for (const subscription of subscriptions) this.#subscriptions.add(subscription);
    this.#feed.want();
  }

  unsubscribe(subscriptions: Subscription[]): void {
    for (const subscription of subscriptions) this.#subscriptions.remove(subscription);
    if (this.#subscriptions.size === 0) this.#feed.release();
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

  close(): Promise<void> {
    return this.#feed.close();
  }
}
