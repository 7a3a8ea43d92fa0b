// Deals callers' exchanges out to the connections: an idle one first, then behind quick reads, else they wait their turn.
import pg from 'pg';
import type { Exchange } from './exchange.ts';
import { Lane } from './lane.ts';

/** Milliseconds that an exchange may wait for a connection. */
const WAIT_LIMIT_MS = 10_000;

interface Waiting {
  exchange: Exchange;
  since: number;
}

export class Cancelled extends Error {
  constructor() {
    super('The caller has gone.');
  }
}

export class Lanes {
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #lanes = new Set<Lane>();
  readonly #waiting: Waiting[] = [];
  #opening = 0;
  #clock: NodeJS.Timeout | undefined;

  /** @param onError told about what fails apart from an exchange, such as a cancellation */
  constructor(pool: pg.Pool, onError: (error: Error) => void) {
    this.#pool = pool;
    this.#onError = onError;
  }

  /** @throws what the exchange fails with, or an error without a code when no connection was free in time */
  send(exchange: Exchange): Exchange['result'] {
    if (this.#waiting.length === 0) {
      // All connections are in use: behind quick reads there may be room.
      if (this.#lanes.size + this.#opening >= this.#pool.options.max) {
        for (const lane of this.#lanes) {
          if (lane.hasRoomFor(exchange)) {
            lane.add(exchange);
            return exchange.result;
          }
        }
      }
    }
    this.#waiting.push({ exchange, since: Date.now() });
    if (this.#lanes.size + this.#opening < this.#pool.options.max) this.#open();
    this.#clock ??= setInterval(() => this.#expire(), WAIT_LIMIT_MS / 10).unref();
    return exchange.result;
  }

  /** Takes an exchange out of the queue, or ends it in PostgreSQL. One that is done is left alone. */
  cancel(exchange: Exchange): void {
    const at = this.#waiting.findIndex((one) => one.exchange === exchange);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      exchange.fail(new Cancelled());
      return;
    }
    for (const lane of this.#lanes) lane.cancel(exchange).catch(this.#onError);
  }

  #open(): void {
    this.#opening += 1;
    this.#pool.connect().then(
      (client) => {
        this.#opening -= 1;
        const first = this.#waiting.shift();
        if (first === undefined) {
          client.release();
          return;
        }
        const lane = new Lane(
          {
            client,
            cancelOf: (processId) => this.#cancelOf(processId),
            next: (one) => this.#fill(one),
            closed: (one) => this.#lanes.delete(one),
          },
          first.exchange,
        );
        this.#lanes.add(lane);
        client.query(lane);
      },
      (error: Error) => {
        this.#opening -= 1;
        this.#waiting.shift()?.exchange.fail(error);
      },
    );
  }

  #fill(lane: Lane): void {
    // Others want the connection for a transaction of several steps: let it go as soon as it is empty.
    if (this.#pool.waitingCount > 0) return;
    // Several go in one write: it is the writes that cost, not what is in them.
    if (!lane.isRunningDry || this.#waiting.length === 0) return;
    lane.inOneWrite(() => {
      for (;;) {
        const [first] = this.#waiting;
        if (first === undefined || !lane.hasRoomFor(first.exchange)) return;
        this.#waiting.shift();
        lane.add(first.exchange);
      }
    });
  }

  #expire(): void {
    const limit = Date.now() - WAIT_LIMIT_MS;
    while (this.#waiting[0] !== undefined && this.#waiting[0].since < limit) {
      this.#waiting.shift()?.exchange.fail(new Error('timeout exceeded when trying to connect'));
    }
    if (this.#waiting.length > 0) return;
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
