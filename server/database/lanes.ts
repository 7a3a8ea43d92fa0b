// Deals callers' exchanges out to the connections. Each account, and each network of callers without one, has a share:
// at most some of the connections, and a queue of its own. Shares whose exchanges wait take turns.
import pg from 'pg';
import type { Exchange } from './exchange.ts';
import { Lane, type Share } from './lane.ts';

/** Milliseconds that an exchange may wait for a connection. */
const WAIT_LIMIT_MS = 10_000;

export interface ShareLimits {
  /** Connections that one share may use at once; half of them unless given. */
  connections?: number | undefined;
  /** Exchanges of one share that may wait. */
  waiting?: number | undefined;
}

export class Cancelled extends Error {
  constructor() {
    super('The caller has gone.');
  }
}

/** The share of the caller was used up for too long, or its queue is full. */
export class TooManyQueries extends Error {
  constructor() {
    super('Too many requests of this caller are waiting for the database.');
  }
}

export class Lanes {
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #perShare: number;
  readonly #queueLimit: number;
  readonly #lanes = new Set<Lane>();
  /** Those that use a connection or wait for one. */
  readonly #shares = new Map<string, Share>();
  /** Those that wait and may use another connection, in the order of their turns. */
  readonly #turns = new Set<Share>();
  #opening = 0;
  #clock: NodeJS.Timeout | undefined;

  /** @param onError told about what fails apart from an exchange, such as a cancellation */
  constructor(pool: pg.Pool, onError: (error: Error) => void, limits: ShareLimits) {
    this.#pool = pool;
    this.#onError = onError;
    this.#perShare = limits.connections ?? Math.ceil(pool.options.max / 2);
    this.#queueLimit = limits.waiting ?? 200;
  }

  /**
   * @param key of the share
   * @throws what the exchange fails with; TooManyQueries; an error without a code when no connection was free in time
   */
  send(exchange: Exchange, key: string): Exchange['result'] {
    const share = this.#shareOf(key);
    const mayOpen = share.connections < this.#perShare && this.#hasFreeConnection;
    if (!mayOpen && share.waiting.length === 0) {
      for (const lane of share.lanes) {
        // While others wait, the lane is theirs next.
        if (this.#turns.size === 0 && lane.hasRoomFor(exchange)) {
          lane.add(exchange);
          return exchange.result;
        }
      }
    }
    // Those for which connections are being opened hardly wait.
    const opening = share.connections - share.lanes.length;
    if (!mayOpen && share.waiting.length - opening >= this.#queueLimit) {
      exchange.fail(new TooManyQueries());
      return exchange.result;
    }
    share.waiting.push({ exchange, since: Date.now() });
    if (mayOpen) this.#open(share);
    else this.#settle(share);
    this.#clock ??= setInterval(() => this.#expire(), WAIT_LIMIT_MS / 10).unref();
    return exchange.result;
  }

  /** Takes an exchange out of its queue, or ends it in PostgreSQL. One that is done is left alone. */
  cancel(exchange: Exchange, key: string): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    const at = share.waiting.findIndex((one) => one.exchange === exchange);
    if (at >= 0) {
      share.waiting.splice(at, 1);
      exchange.fail(new Cancelled());
      this.#settle(share);
      return;
    }
    for (const lane of share.lanes) lane.cancel(exchange).catch(this.#onError);
  }

  get #hasFreeConnection(): boolean {
    return this.#lanes.size + this.#opening < this.#pool.options.max;
  }

  #shareOf(key: string): Share {
    const known = this.#shares.get(key);
    if (known !== undefined) return known;
    const share: Share = { key, connections: 0, lanes: [], waiting: [] };
    this.#shares.set(key, share);
    return share;
  }

  /** To be called whenever its queue or its connections have changed. */
  #settle(share: Share): void {
    if (share.waiting.length > 0 && share.connections < this.#perShare) {
      // One that is there already does not lose its place.
      this.#turns.add(share);
      return;
    }
    this.#turns.delete(share);
    if (share.waiting.length === 0 && share.connections === 0) this.#shares.delete(share.key);
  }

  #reserve(share: Share): void {
    share.connections += 1;
    this.#settle(share);
  }

  #giveBack(share: Share): void {
    share.connections -= 1;
    this.#settle(share);
  }

  /** @returns the share whose turn it is, with one connection more; where more of it waits, it is the last then */
  #takeTurn(): Share | undefined {
    const [share] = this.#turns;
    if (share === undefined) return undefined;
    this.#turns.delete(share);
    this.#reserve(share);
    return share;
  }

  /** @returns the share for which a connection was opened, or another, where what it had waiting is done by now */
  #turnAfterOpening(share: Share): Share | undefined {
    if (share.waiting.length === 0) {
      this.#giveBack(share);
      return this.#takeTurn();
    }
    // This is its turn: behind the others, where more of it waits.
    this.#turns.delete(share);
    this.#settle(share);
    return share;
  }

  #detach(lane: Lane): void {
    const { share } = lane;
    if (share === undefined) return;
    lane.share = undefined;
    share.lanes.splice(share.lanes.indexOf(lane), 1);
    this.#giveBack(share);
  }

  #open(share: Share): void {
    this.#opening += 1;
    this.#reserve(share);
    this.#pool.connect().then(
      (client) => {
        this.#opening -= 1;
        const next = this.#turnAfterOpening(share);
        if (next === undefined) {
          client.release();
          return;
        }
        const lane = new Lane(
          {
            client,
            cancelOf: (processId) => this.#cancelOf(processId),
            drained: (one) => this.#drained(one),
            next: (one, from) => this.#fill(one, from),
            closed: (one) => this.#closed(one),
          },
          next,
        );
        this.#lanes.add(lane);
        next.lanes.push(lane);
        client.query(lane);
      },
      (error: Error) => {
        this.#opening -= 1;
        share.waiting.shift()?.exchange.fail(error);
        this.#giveBack(share);
        this.#openForNext();
      },
    );
  }

  #openForNext(): void {
    const [share] = this.#turns;
    if (share !== undefined && this.#hasFreeConnection) this.#open(share);
  }

  #closed(lane: Lane): void {
    this.#lanes.delete(lane);
    this.#detach(lane);
    this.#openForNext();
  }

  #drained(lane: Lane): void {
    this.#detach(lane);
    // Others want the connection for a transaction of several steps.
    if (this.#pool.waitingCount > 0) return;
    const share = this.#takeTurn();
    if (share === undefined) return;
    lane.share = share;
    share.lanes.push(lane);
  }

  #fill(lane: Lane, share: Share): void {
    if (!lane.isRunningDry || share.waiting.length === 0) return;
    // While others wait, its turn ends when the lane is drained.
    const others = this.#turns.size - (this.#turns.has(share) ? 1 : 0);
    if (!lane.isIdle && (others > 0 || this.#pool.waitingCount > 0)) return;
    // Several go in one write: it is the writes that cost, not what is in them.
    lane.inOneWrite(() => {
      for (;;) {
        const [first] = share.waiting;
        if (first === undefined || !lane.hasRoomFor(first.exchange)) return;
        share.waiting.shift();
        lane.add(first.exchange);
      }
    });
    this.#settle(share);
  }

  #expire(): void {
    const limit = Date.now() - WAIT_LIMIT_MS;
    let isWaiting = false;
    for (const share of this.#shares.values()) {
      const isUsedUp = share.connections >= this.#perShare;
      while (share.waiting[0] !== undefined && share.waiting[0].since < limit) {
        share.waiting
          .shift()
          ?.exchange.fail(
            isUsedUp ? new TooManyQueries() : new Error('timeout exceeded when trying to connect'),
          );
      }
      isWaiting ||= share.waiting.length > 0;
      this.#settle(share);
    }
    if (isWaiting) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  /** Through a connection of its own, since those of the pool may all be busy. */
  async #cancelOf(processId: number): Promise<void> {
    const client = new pg.Client(this.#pool.options);
    client.on('error', this.#onError);
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [processId]);
    } finally {
      await client.end();
    }
  }
}
