// One connection while callers use it. Behind fast exchanges the next one is sent before they are answered, so that
// PostgreSQL finds it without a wake-up, which is most of the cost of a small read. All exchanges in flight belong to one
// share: a statement's duration depends on its values, and no account should wait for another's. They are all reads or all
// writes: a read waits for no lock, so it shouldn't wait for a write that does.
import type { Connection, DatabaseError, PoolClient, Submittable } from 'pg';
import { readBackendPid } from './cancel.ts';
import { type Exchange, Statements } from './exchange.ts';
import type { Column } from './wire/json-rows.ts';
import { MessageReader, type Receiver } from './wire/message-reader.ts';

/** Maximum exchanges in flight on one connection. */
const DEPTH = 4;
/** A read is fast if it recently took less. */
const FAST_READ_MS = 5;
/** A write is fast if it recently took less: it waits for the disk once. */
const FAST_WRITE_MS = 30;

/** The fair share of one account, or of a network of callers without an account. */
export interface Share {
  readonly key: string;
  /** Connections in use or being opened for it. */
  connections: number;
  readonly pipelines: Pipeline[];
  /** Recent duration of its exchanges, the longest counting for a while; infinite until one has ended. */
  recentMs: number;
  readonly waiting: { exchange: Exchange; since: number }[];
}

interface PipelineOptions {
  client: PoolClient;
  /** Cancels the running statement of a connection, by its backend process id. */
  cancelBackend: (processId: number) => Promise<void>;
  /** Called when everything is answered; assigns the pipeline to the next waiting share. */
  onDrained: (pipeline: Pipeline) => void;
  /** Called when another exchange can be sent; adds the share's waiting ones. */
  onReady: (pipeline: Pipeline, share: Share) => void;
  /** Called when the connection was returned to the pool. */
  onClosed: (pipeline: Pipeline) => void;
}

function isFast(exchange: Exchange, known: Statements): boolean {
  const expected = exchange.expectedMs(known);
  return expected !== undefined && expected < (exchange.isReadOnly ? FAST_READ_MS : FAST_WRITE_MS);
}

/** A pg Submittable that holds the connection for as long as exchanges are waiting. */
export class Pipeline implements Submittable, Receiver {
  readonly #exchanges: Exchange[] = [];
  #reader: MessageReader | undefined;
  #known: Statements | undefined;
  /** Whether another exchange may be sent behind those in flight. */
  #lastIsFast = false;
  /** A cancel request is in flight: it must not hit the next exchange. */
  #isCancelling = false;
  #isBroken = false;
  #startedAt = 0;

  constructor(
    private readonly options: PipelineOptions,
    /** Whose exchanges it sends; undefined when idle. */
    public share: Share | undefined,
  ) {}

  submit(connection: Connection): void {
    this.#known = Statements.of(connection);
    this.#reader = MessageReader.of(connection);
    this.#reader.open(this);
    this.#send();
  }

  get isIdle(): boolean {
    return this.#exchanges.length === 0;
  }

  /** Milliseconds that PostgreSQL has been working on the exchange in front. */
  elapsedMs(now: number): number {
    return this.isIdle ? 0 : now - this.#startedAt;
  }

  /** Whether PostgreSQL would soon run out of work on this connection. */
  get isNearlyIdle(): boolean {
    return this.#exchanges.length <= 1;
  }

  /** Sends everything that `work` adds in one write. */
  inOneWrite(work: () => void): void {
    this.#reader?.cork();
    try {
      work();
    } finally {
      this.#reader?.uncork();
    }
  }

  canAdd(exchange: Exchange): boolean {
    if (this.#known === undefined || this.#isCancelling) return false;
    const [running] = this.#exchanges;
    if (running === undefined) return true;
    if (!this.#lastIsFast || this.#exchanges.length >= DEPTH) return false;
    return running.isReadOnly === exchange.isReadOnly && isFast(exchange, this.#known);
  }

  add(exchange: Exchange): void {
    const known = this.#known;
    if (known === undefined)
      throw new Error('A pipeline was used before its connection was ready.');
    if (this.#exchanges.length === 0) this.#startedAt = performance.now();
    this.#lastIsFast = isFast(exchange, known);
    this.#exchanges.push(exchange);
    this.#reader?.send(exchange.bytesFor(known));
  }

  /** Cancels the exchange in PostgreSQL if it is the only one in flight; others are fast and end by themselves. */
  async cancel(exchange: Exchange): Promise<void> {
    const { client, cancelBackend } = this.options;
    if (this.#isCancelling || this.#exchanges.length !== 1 || this.#exchanges[0] !== exchange)
      return;
    const processId = readBackendPid(client);
    if (processId === undefined) return;
    this.#isCancelling = true;
    try {
      await cancelBackend(processId);
    } finally {
      // Nothing was sent until now: a late signal would have cancelled it.
      this.#isCancelling = false;
      this.#continue();
    }
  }

  handleColumns(columns: Column[]): void {
    this.#exchanges[0]?.handleColumns(columns);
  }

  acceptsRow(bytes: number): boolean {
    return this.#exchanges[0]?.accepts(bytes) ?? false;
  }

  handleRow(from: Buffer, start: number, end: number, isOwned: boolean): void {
    this.#exchanges[0]?.handleRow(from, start, end, isOwned);
  }

  handleComplete(tag: string): void {
    this.#exchanges[0]?.handleComplete(tag);
  }

  handleErrorResponse(error: DatabaseError): void {
    this.#exchanges[0]?.fail(error);
  }

  handleReady(): void {
    const now = performance.now();
    const ms = this.elapsedMs(now);
    this.#exchanges.shift()?.finish(ms);
    this.#startedAt = now;
    if (this.share !== undefined) {
      const { recentMs } = this.share;
      this.share.recentMs = Number.isFinite(recentMs) ? Math.max(ms, recentMs * 0.8) : ms;
    }
    this.#continue();
  }

  #continue(): void {
    if (this.#isCancelling || this.#isBroken) return;
    if (this.isIdle) this.options.onDrained(this);
    this.#send();
  }

  #send(): void {
    if (this.share !== undefined) this.options.onReady(this, this.share);
    if (this.isIdle) this.#reader?.close();
  }

  /** Called by pg after `#reader.close()`. */
  handleReadyForQuery(): void {
    this.options.client.release();
    this.options.onClosed(this);
  }

  /** Called by pg when the connection broke. */
  handleError(error: Error): void {
    this.#isBroken = true;
    for (const exchange of this.#exchanges.splice(0)) exchange.fail(error);
    this.options.client.release(error);
    this.options.onClosed(this);
  }

  /** No statement of ours can start COPY; refusing it anyway keeps the connection from hanging. */
  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('COPY is not supported here');
  }

  handleCopyData(): void {}
}
