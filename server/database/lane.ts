// One connection while callers use it: exchanges one after another. Behind quick reads the next is sent before they are
// answered, so that PostgreSQL finds it without being woken, which is what a small read mostly costs. All exchanges on
// their way are of one share: how quick a statement is depends on its values too, and nobody waits for another's.
import type { Connection, DatabaseError, PoolClient, Submittable } from 'pg';
import type { Exchange } from './exchange.ts';
import { Statements } from './statements.ts';
import { Inbox, type Receiver } from './wire/inbox.ts';

/** Exchanges on their way to one connection, and the milliseconds up to which a read counts as quick. */
const DEPTH = 4;
const QUICK_MS = 5;

/** One account's part of the connections, or that of a network of callers without an account. */
export interface Share {
  readonly key: string;
  /** Connections that it uses, or that are being opened for it. */
  connections: number;
  readonly lanes: Lane[];
  readonly waiting: { exchange: Exchange; since: number }[];
}

export interface LaneOptions {
  client: PoolClient;
  /** Cancels what another connection does, by the number of its process. */
  cancelOf: (processId: number) => Promise<void>;
  /** Called when everything is answered; gives the lane to the next share that waits. */
  drained: (lane: Lane) => void;
  /** Called when there is room; adds what waits in the lane's share. */
  next: (lane: Lane, share: Share) => void;
  /** Told when the connection has gone back to the pool. */
  closed: (lane: Lane) => void;
}

/** A pg Submittable that goes on for as long as there is something to do. */
export class Lane implements Submittable, Receiver {
  readonly #options: LaneOptions;
  /** Whose exchanges it sends; undefined once it is idle. */
  share: Share | undefined;
  readonly #exchanges: Exchange[] = [];
  #inbox: Inbox | undefined;
  #known: Statements | undefined;
  /** Whether another exchange may be sent behind those on their way. */
  #isQuick = false;
  /** A cancellation is on its way: it must not meet the next exchange. */
  #isCancelling = false;
  #isBroken = false;
  #since = 0;

  constructor(options: LaneOptions, share: Share) {
    this.#options = options;
    this.share = share;
  }

  submit(connection: Connection): void {
    this.#known = Statements.of(connection);
    this.#inbox = Inbox.of(connection);
    this.#inbox.open(this);
    this.#send();
  }

  get isIdle(): boolean {
    return this.#exchanges.length === 0;
  }

  /** Whether PostgreSQL would soon find nothing to do here. */
  get isRunningDry(): boolean {
    return this.#exchanges.length <= 1;
  }

  /** What `work` adds leaves together. */
  inOneWrite(work: () => void): void {
    this.#inbox?.hold();
    try {
      work();
    } finally {
      this.#inbox?.release();
    }
  }

  hasRoomFor(exchange: Exchange): boolean {
    if (this.#known === undefined || this.#isCancelling) return false;
    if (this.#exchanges.length === 0) return true;
    if (!this.#isQuick || this.#exchanges.length >= DEPTH) return false;
    return this.#isQuickRead(exchange, this.#known);
  }

  #isQuickRead(exchange: Exchange, known: Statements): boolean {
    return exchange.isReadOnly && (exchange.expectedMs(known) ?? QUICK_MS) < QUICK_MS;
  }

  add(exchange: Exchange): void {
    const known = this.#known;
    if (known === undefined) throw new Error('A lane was used before its connection was ready.');
    if (this.#exchanges.length === 0) this.#since = performance.now();
    this.#isQuick = this.#isQuickRead(exchange, known);
    this.#exchanges.push(exchange);
    this.#inbox?.send(exchange.bytesFor(known));
  }

  /** Ends what PostgreSQL does for this exchange, if it is the only one here; quick ones end by themselves. */
  async cancel(exchange: Exchange): Promise<void> {
    const { client, cancelOf } = this.#options;
    if (this.#isCancelling || this.#exchanges.length !== 1 || this.#exchanges[0] !== exchange)
      return;
    if (!('processID' in client) || typeof client.processID !== 'number') return;
    this.#isCancelling = true;
    try {
      await cancelOf(client.processID);
    } finally {
      // Until here nothing else was sent: a late signal would have met it.
      this.#isCancelling = false;
      this.#goOn();
    }
  }

  handleColumns(names: string[]): void {
    this.#exchanges[0]?.handleColumns(names);
  }

  acceptsRow(bytes: number): boolean {
    return this.#exchanges[0]?.accepts(bytes) ?? false;
  }

  handleRow(row: Buffer, mayKeep: boolean): void {
    this.#exchanges[0]?.handleRow(row, mayKeep);
  }

  handleComplete(tag: string): void {
    this.#exchanges[0]?.handleComplete(tag);
  }

  handleRefusal(error: DatabaseError): void {
    this.#exchanges[0]?.fail(error);
  }

  handleReady(): void {
    const now = performance.now();
    this.#exchanges.shift()?.finish(now - this.#since);
    this.#since = now;
    this.#goOn();
  }

  #goOn(): void {
    if (this.#isCancelling || this.#isBroken) return;
    if (this.isIdle) this.#options.drained(this);
    this.#send();
  }

  #send(): void {
    if (this.share !== undefined) this.#options.next(this, this.share);
    if (this.isIdle) this.#inbox?.close();
  }

  /** From pg, once the connection is its own again. */
  handleReadyForQuery(): void {
    this.#options.client.release();
    this.#options.closed(this);
  }

  /** From pg: the connection broke. */
  handleError(error: Error): void {
    this.#isBroken = true;
    for (const exchange of this.#exchanges.splice(0)) exchange.fail(error);
    this.#options.client.release(error);
    this.#options.closed(this);
  }

  /** COPY is not reachable through a prepared statement of ours; refuse it so that the connection can't hang. */
  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('COPY is not supported here');
  }

  handleCopyData(): void {}
}
