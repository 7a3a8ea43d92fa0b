import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { ReplicationStream, type StreamHandlers } from './replication-stream.ts';

/** `off`: no channel needs it. `unavailable`: the database does not permit it and an operator must act. */
export type StreamState = 'off' | 'starting' | 'live' | 'lost' | 'unavailable';

export interface StreamRunnerOptions {
  owner: pg.ClientConfig;
  log: FastifyBaseLogger;
  handlers: Omit<StreamHandlers, 'onLive'>;
  /** Called with the name of the replication slot before `live`. */
  onSlot(slot: string): void;
  /** Called for each change of state. Changes committed between `lost` and the next `live` are never delivered. */
  onState(state: StreamState): void;
}

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** While unavailable: often enough that a fixed configuration needs no restart of the server. */
const UNAVAILABLE_PAUSE_MS = 30_000;
/** How long the stream keeps running without a channel, so that a page reload finds it live. */
const LINGER_MS = 60_000;
/** wal_level too low, no replication right, no entry in pg_hba.conf, no free slot or sender. */
const NOT_PERMITTED = new Set(['55000', '42501', '28000', '53400', '53300']);

export const UNAVAILABLE =
  'Live changes are not available: the database does not permit logical replication (wal_level = logical and a role with REPLICATION are needed).';

/** Runs the replication stream while it is needed, and restarts it when it fails. */
export class StreamRunner {
  readonly #options: StreamRunnerOptions;
  #state: StreamState = 'off';
  #stream: ReplicationStream | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;
  #isClosed = false;
  #wake: () => void = () => {};
  #linger: NodeJS.Timeout | undefined;
  #hasWarned = false;

  constructor(options: StreamRunnerOptions) {
    this.#options = options;
  }

  get state(): StreamState {
    return this.#state;
  }

  start(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#stopped = false;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Stops the stream after a while unless `start` is called before. */
  stopLater(): void {
    this.#linger ??= setTimeout(() => void this.#stop(), LINGER_MS).unref();
  }

  /** Restarts the stream, because changes were lost on the way to subscribers. */
  interrupt(): void {
    if (this.#state === 'live') void this.#stream?.stop();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#stop();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#stopped = true;
    this.#wake();
    await this.#stream?.stop();
    await this.#running;
    this.#set('off');
  }

  #set(state: StreamState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }

  async #run(): Promise<void> {
    let delay = MIN_PAUSE_MS;
    this.#set('starting');
    while (!this.#stopped) {
      const error = await this.#streamOnce((slot) => {
        this.#options.onSlot(slot);
        delay = MIN_PAUSE_MS;
        this.#hasWarned = false;
        this.#set('live');
      });
      if (this.#stopped) return;
      const isForbidden = error instanceof pg.DatabaseError && NOT_PERMITTED.has(error.code ?? '');
      if (isForbidden) this.#refuse(error);
      else {
        this.#options.log.warn({ err: error }, 'the change stream ended and is being restarted');
        this.#set('lost');
      }
      await this.#pause(isForbidden ? UNAVAILABLE_PAUSE_MS : delay);
      delay = Math.min(delay * 2, MAX_PAUSE_MS);
    }
  }

  /** @returns the error that ended the stream; undefined when it was stopped */
  async #streamOnce(onLive: (slot: string) => void): Promise<unknown> {
    const { owner, handlers } = this.#options;
    const stream = new ReplicationStream(owner, { ...handlers, onLive });
    this.#stream = stream;
    try {
      await stream.run();
      return undefined;
    } catch (error) {
      return error;
    } finally {
      this.#stream = undefined;
      await stream.stop();
    }
  }

  #refuse(error: pg.DatabaseError): void {
    if (!this.#hasWarned) this.#options.log.error({ err: error }, UNAVAILABLE);
    this.#hasWarned = true;
    this.#set('unavailable');
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }
}
