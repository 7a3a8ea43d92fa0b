// Distributes callers' exchanges over the connections. Each account, and each network of callers without one, has a fair
// share: a maximum number of connections and its own queue. Shares with waiting exchanges take turns. Short writes may use
// more connections, because they wait for the disk, which stores the commits of several connections at once.
import type pg from 'pg';
import { cancelBackends } from './cancel.ts';
import type { Exchange } from './exchange.ts';
import { Pipeline, type Share } from './pipeline.ts';

/** How long an exchange may wait for a connection. */
const WAIT_LIMIT_MS = 10_000;

/** Writes of an account whose statements take longer keep to half of the connections, as its reads do. */
const SHORT_MS = 200;

export interface ShareLimits {
  /** Maximum connections of one share. Default: half of the pool, and three quarters for short writes. */
  connections?: number | undefined;
  waiting?: number | undefined;
}

export class Cancelled extends Error {
  constructor() {
    super('The client disconnected.');
  }
}

/** The caller's share was exhausted for too long, or its queue is full. */
export class TooManyQueries extends Error {
  constructor() {
    super('Too many requests of this caller are waiting for the database.');
  }
}

export class FairPool {
  readonly #perShare: number;
  readonly #perWriter: number;
  readonly #queueLimit: number;
  readonly #pipelines = new Set<Pipeline>();
  /** Shares that use a connection or wait for one. */
  readonly #shares = new Map<string, Share>();
  /** Shares that wait and may use another connection, in order. */
  readonly #turns = new Set<Share>();
  #opening = 0;
  #expiryTimer: NodeJS.Timeout | undefined;

  /** @param onError called for failures outside any exchange, such as a cancel request */
  constructor(
    private readonly pool: pg.Pool,
    private readonly onError: (error: Error) => void,
    limits: ShareLimits,
  ) {
    this.#perShare = limits.connections ?? Math.ceil(pool.options.max / 2);
    this.#perWriter = limits.connections ?? Math.ceil((pool.options.max * 3) / 4);
    this.#queueLimit = limits.waiting ?? 200;
  }

  /**
   * @param key of the share
   * @throws the exchange's error; TooManyQueries; an error without a code when no connection was free in time
   */
  send(exchange: Exchange, key: string): Exchange['result'] {
    const share = this.#shareOf(key);
    const mayOpen = this.#mayUseAnother(share, exchange) && this.#hasFreeConnection;
    if (!mayOpen && share.waiting.length === 0) {
      for (const pipeline of share.pipelines) {
        // While other shares wait, they get the connection next.
        if (this.#turns.size === 0 && pipeline.canAdd(exchange)) {
          pipeline.add(exchange);
          return exchange.result;
        }
      }
    }
    // Exchanges for which a connection is being opened don't count as waiting.
    const opening = share.connections - share.pipelines.length;
    if (!mayOpen && share.waiting.length - opening >= this.#queueLimit) {
      exchange.fail(new TooManyQueries());
      return exchange.result;
    }
    share.waiting.push({ exchange, since: Date.now() });
    if (mayOpen) this.#open(share);
    else this.#update(share);
    this.#expiryTimer ??= setInterval(() => this.#expire(), WAIT_LIMIT_MS / 10).unref();
    return exchange.result;
  }

  /** Removes an exchange from its queue, or cancels it in PostgreSQL. Does nothing if it is done. */
  cancel(exchange: Exchange, key: string): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    const at = share.waiting.findIndex((entry) => entry.exchange === exchange);
    if (at >= 0) {
      share.waiting.splice(at, 1);
      exchange.fail(new Cancelled());
      this.#update(share);
      return;
    }
    for (const pipeline of share.pipelines) pipeline.cancel(exchange).catch(this.onError);
  }

  /** How many exchanges wait, of all shares. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#shares.values()) sum += waiting.length;
    return sum;
  }

  get #hasFreeConnection(): boolean {
    return this.#pipelines.size + this.#opening < this.pool.options.max;
  }

  #shareOf(key: string): Share {
    const known = this.#shares.get(key);
    if (known !== undefined) return known;
    const share: Share = {
      key,
      connections: 0,
      pipelines: [],
      recentMs: Number.POSITIVE_INFINITY,
      waiting: [],
    };
    this.#shares.set(key, share);
    return share;
  }

  /** @param next of its exchanges, if none is waiting */
  #mayUseAnother(share: Share, next?: Exchange): boolean {
    if (share.connections < this.#perShare) return true;
    if (share.connections >= this.#perWriter) return false;
    const exchange = share.waiting[0]?.exchange ?? next;
    if (exchange === undefined || exchange.isReadOnly || share.recentMs >= SHORT_MS) return false;
    const now = performance.now();
    return share.pipelines.every((pipeline) => pipeline.elapsedMs(now) < SHORT_MS);
  }

  /** Must be called whenever the share's queue or connections have changed. */
  #update(share: Share): void {
    if (share.waiting.length > 0 && this.#mayUseAnother(share)) {
      // A Set keeps the position of a share that is already in it.
      this.#turns.add(share);
      return;
    }
    this.#turns.delete(share);
    if (share.waiting.length === 0 && share.connections === 0) this.#shares.delete(share.key);
  }

  #count(share: Share, change: 1 | -1): void {
    share.connections += change;
    this.#update(share);
  }

  /** The share whose turn it is. Leaves out those whose writes have become long since they got in line. */
  #nextInLine(): Share | undefined {
    for (const share of this.#turns) {
      if (this.#mayUseAnother(share)) return share;
      this.#turns.delete(share);
    }
    return undefined;
  }

  /** Gives the next share in line a connection, and moves it to the end if it has more exchanges waiting. */
  #takeTurn(): Share | undefined {
    const share = this.#nextInLine();
    if (share === undefined) return undefined;
    this.#turns.delete(share);
    this.#count(share, 1);
    return share;
  }

  /** @returns the share that a connection was opened for, or the next one if its queue is empty by now */
  #turnAfterOpening(share: Share): Share | undefined {
    if (share.waiting.length === 0) {
      this.#count(share, -1);
      return this.#takeTurn();
    }
    // This was its turn: it moves to the end.
    this.#turns.delete(share);
    this.#update(share);
    return share;
  }

  #detach(pipeline: Pipeline): void {
    const { share } = pipeline;
    if (share === undefined) return;
    pipeline.share = undefined;
    share.pipelines.splice(share.pipelines.indexOf(pipeline), 1);
    this.#count(share, -1);
  }

  #open(share: Share): void {
    this.#opening += 1;
    this.#count(share, 1);
    this.pool.connect().then(
      (client) => {
        this.#opening -= 1;
        const next = this.#turnAfterOpening(share);
        if (next === undefined) {
          client.release();
          return;
        }
        const pipeline = new Pipeline(
          {
            client,
            cancelBackend: (processId) => cancelBackends(this.pool.options, [processId]),
            onDrained: (drained) => this.#reassign(drained),
            onReady: (ready, from) => this.#fill(ready, from),
            onClosed: (closed) => this.#remove(closed),
          },
          next,
        );
        this.#pipelines.add(pipeline);
        next.pipelines.push(pipeline);
        client.query(pipeline);
      },
      (error: Error) => {
        this.#opening -= 1;
        share.waiting.shift()?.exchange.fail(error);
        this.#count(share, -1);
        this.#openForNext();
      },
    );
  }

  #openForNext(): void {
    if (!this.#hasFreeConnection) return;
    const share = this.#nextInLine();
    if (share !== undefined) this.#open(share);
  }

  #remove(pipeline: Pipeline): void {
    this.#pipelines.delete(pipeline);
    this.#detach(pipeline);
    this.#openForNext();
  }

  #reassign(pipeline: Pipeline): void {
    this.#detach(pipeline);
    // `Callers.transaction` is waiting for a connection of the pool.
    if (this.pool.waitingCount > 0) return;
    const share = this.#takeTurn();
    if (share === undefined) return;
    pipeline.share = share;
    share.pipelines.push(pipeline);
  }

  #fill(pipeline: Pipeline, share: Share): void {
    if (!pipeline.isNearlyIdle || share.waiting.length === 0) return;
    // While other shares wait, this one's turn ends when the pipeline is drained.
    const others = this.#turns.size - (this.#turns.has(share) ? 1 : 0);
    const doOthersWait = others > 0 || this.pool.waitingCount > 0;
    if (!pipeline.isIdle && doOthersWait) return;
    // One write for several exchanges: the number of writes is what costs, not their size.
    pipeline.inOneWrite(() => {
      for (;;) {
        const [first] = share.waiting;
        if (first === undefined || !pipeline.canAdd(first.exchange)) return;
        share.waiting.shift();
        pipeline.add(first.exchange);
        // A turn is one write, or a few fast reads.
        if (doOthersWait && !first.exchange.isReadOnly) return;
      }
    });
    this.#update(share);
  }

  #expire(): void {
    const limit = Date.now() - WAIT_LIMIT_MS;
    let isWaiting = false;
    for (const share of this.#shares.values()) {
      const isExhausted = !this.#mayUseAnother(share);
      while (share.waiting[0] !== undefined && share.waiting[0].since < limit) {
        share.waiting
          .shift()
          ?.exchange.fail(
            isExhausted
              ? new TooManyQueries()
              : new Error('timeout exceeded when trying to connect'),
          );
      }
      isWaiting ||= share.waiting.length > 0;
      this.#update(share);
    }
    if (isWaiting) return;
    clearInterval(this.#expiryTimer);
    this.#expiryTimer = undefined;
  }
}
