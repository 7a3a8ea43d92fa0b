import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../database/database.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Change, LogMessage, Relation } from './pgoutput.ts';
import { StreamRunner, type StreamState } from './replication-stream.ts';
import { Subscriptions } from './subscription-index.ts';
import type { Subscription } from './subscriptions.ts';

type InternalTable = 'realtime.messages' | 'auth.sessions' | 'auth.users';

const nameOf = ({ schema, name }: Relation): string => `${schema}.${name}`;

/** The change stream for the rest of the service: subscriptions, internal listeners, and the state of the stream. */
export class ChangeFeed {
  readonly #subscriptions = new Subscriptions();
  readonly #listeners = new Set<(state: StreamState) => void>();
  /** By table. These changes are internal: subscribers never receive changes of users and sessions. */
  readonly #internal = new Map<string, (change: Change) => void>();
  readonly #stream: StreamRunner;
  readonly #dispatcher: Dispatcher;
  #onMessage: (message: LogMessage) => void = () => {};
  #slot: string | undefined;
  #users = 0;

  constructor(database: Database, log: FastifyBaseLogger) {
    const subscriptions = this.#subscriptions;
    this.#dispatcher = new Dispatcher({ database, subscriptions, log }, (error) => {
      log.warn({ err: error }, 'changes could not be delivered');
      this.#stream.interrupt();
    });
    this.#stream = new StreamRunner({
      owner: database.ownerConnection,
      log,
      handlers: {
        wants: (relation) => this.#internal.has(nameOf(relation)) || subscriptions.wants(relation),
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
    const listener = this.#internal.get(nameOf(change.relation));
    if (listener === undefined) return this.#dispatcher.add(change);
    listener(change);
    return undefined;
  }

  get state(): StreamState {
    return this.#stream.state;
  }

  /** The slot of the running stream, by which other processes recognize this one. */
  get slot(): string | undefined {
    return this.#slot;
  }

  /** @returns a function that removes the listener */
  watch(listener: (state: StreamState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onRow(table: InternalTable, listener: (change: Change) => void): void {
    this.#internal.set(table, listener);
  }

  onMessage(listener: (message: LogMessage) => void): void {
    this.#onMessage = listener;
  }

  /** Keeps the stream running until `release`. */
  acquire(): void {
    this.#users += 1;
    this.#stream.start();
  }

  release(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#stream.stopLater();
  }

  subscribe(subscriptions: Subscription[]): void {
    for (const subscription of subscriptions) this.#subscriptions.add(subscription);
  }

  unsubscribe(subscriptions: Subscription[]): void {
    for (const subscription of subscriptions) this.#subscriptions.remove(subscription);
  }

  /** Resolves when the stream is live or unavailable, or after the limit. */
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
    await this.#stream.close();
    await this.#dispatcher.close();
  }
}
