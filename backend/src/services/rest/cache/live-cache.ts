import pg from 'pg';
import type { SchemaCache } from './model.ts';

const CHANNEL = 'pgrst';
const RETRY_MS = 500;

/**
 * The schema cache, reloaded on notifications. Requests keep using the previous one during a reload (PostgREST docs,
 * "Schema Cache Reloading").
 */
export class LiveCache {
  #current: SchemaCache | undefined;
  #listener: pg.Client | undefined;
  #loading: Promise<void> | undefined;
  #isStale = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #lastProbe: Promise<void> = Promise.resolve();
  #nextProbe: Promise<void> | undefined;

  /**
   * @param onError called when a reload failed; the previous cache stays in use
   */
  constructor(
    readonly connection: pg.ClientConfig,
    readonly load: () => Promise<SchemaCache>,
    readonly onError: (error: Error) => void,
  ) {}

  /** Listens before loading, so that no change is missed. */
  async start(): Promise<void> {
    await this.#listen();
    this.#current = await this.load();
  }

  get current(): SchemaCache {
    if (this.#current === undefined) throw new Error('The schema cache was never started.');
    return this.#current;
  }

  /**
   * Waits until every change committed before this call is in the cache. PostgreSQL delivers notifications before it
   * completes a query, so one empty query is enough.
   */
  async catchUp(): Promise<void> {
    await this.#probe();
    await this.#loading;
  }

  /** One probe at a time. Calls during a probe share the next one, because the running one may have started too early. */
  #probe(): Promise<void> {
    this.#nextProbe ??= this.#lastProbe.then(async () => {
      this.#nextProbe = undefined;
      await this.#listener?.query('').catch(this.onError);
    });
    this.#lastProbe = this.#nextProbe;
    return this.#nextProbe;
  }

  async stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const listener = this.#listener;
    this.#listener = undefined;
    await this.#loading;
    await listener?.end().catch(this.onError);
  }

  async #listen(): Promise<void> {
    const client = new pg.Client(this.connection);
    client.on('error', (error) => this.#listenAgain(client, error));
    client.on('end', () => this.#listenAgain(client));
    client.on('notification', () => this.#reload());
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    this.#listener = client;
  }

  #listenAgain(client: pg.Client, error?: Error): void {
    if (this.#isClosed || this.#listener !== client) return;
    this.#listener = undefined;
    if (error) this.onError(error);
    const again = (): void => {
      this.#listen().then(
        () => this.#reload(),
        () => {
          if (!this.#isClosed) this.#retry = setTimeout(again, RETRY_MS);
        },
      );
    };
    this.#retry = setTimeout(again, RETRY_MS);
  }

  /** A change that arrives during a reload causes another one. */
  #reload(): void {
    if (this.#isClosed) return;
    if (this.#loading !== undefined) {
      this.#isStale = true;
      return;
    }
    this.#loading = this.#loadUntilFresh().finally(() => {
      this.#loading = undefined;
    });
  }

  async #loadUntilFresh(): Promise<void> {
    do {
      this.#isStale = false;
      try {
        this.#current = await this.load();
      } catch (error) {
        this.onError(error as Error);
      }
    } while (this.#isStale && !this.#isClosed);
  }
}
