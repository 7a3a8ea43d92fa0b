import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { z } from 'zod';
import { Exchange, type ExchangeOptions, type Reply, type Statement } from './exchange.ts';
import { Cancelled, FairPool, type ShareLimits } from './fair-pool.ts';

export interface Caller {
  /** Database role of the request: anon, authenticated or service_role. */
  role: string;
  /** The token's claims as JSON text, which policies read from `request.jwt.claims`. */
  claims: string;
  /** Subject of the token, if it has one: all queries of an account draw on the same share of the connections. */
  account?: string | undefined;
}

export interface CallOptions {
  /** Further settings, local to the transaction, for example `search_path` or `request.headers`. */
  settings?: [name: string, value: string][];
  readOnly?: boolean;
  /** Whether to undo session settings that the statements may make. Defaults to true unless read-only. */
  resetsSession?: boolean;
  /** Network of the request (`networkOf`): the share of a caller without an account. */
  network?: string | undefined;
  /** Maximum bytes of all rows together; more fails with ResultTooLarge. A write is already committed then. */
  maxBytes?: number | undefined;
  /** Receives a function that cancels the query, to call when the client has disconnected. */
  onGone?: (cancel: () => void) => void;
}

/** Runs one statement inside a transaction that already has the caller's role and claims. */
type Run = (statement: Statement) => Promise<Reply>;

const MAX_ATTEMPTS = 5;
/** Serialization failure, deadlock. */
const RETRIED = new Set(['40001', '40P01']);
/** Undoes `set_config(…, false)` in a function, which outlives the transaction. Local settings end by themselves. */
export const RESET: Statement = { text: 'reset all', values: [] };
/** Returns values as the text that PostgreSQL sends. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Claims that nearly every policy or trigger reads: parsing all of them each time takes PostgreSQL 7 µs. */
const OFTEN_READ = ['sub', 'email'] as const;

const CLAIMS = z.record(z.string(), z.unknown());

const singleClaims = new WeakMap<Caller, [string, string][]>();

/** `request.jwt.claim.sub` and `.email`, which `auth.uid()` and `auth.email()` read first. */
function singleClaimsOf(caller: Caller): [name: string, value: string][] {
  const known = singleClaims.get(caller);
  if (known !== undefined) return known;
  const claims = caller.claims === '' ? {} : CLAIMS.parse(JSON.parse(caller.claims));
  const found = OFTEN_READ.flatMap((name): [string, string][] => {
    const value = claims[name];
    // A setting can't hold NUL, and an empty one counts as not set.
    const isText = typeof value === 'string' && value !== '' && !value.includes('\0');
    return isText ? [[`request.jwt.claim.${name}`, value]] : [];
  });
  singleClaims.set(caller, found);
  return found;
}

/** The first statement of every request: sets role, claims and further settings for this transaction only. */
export function settingsStatement(caller: Caller, options: CallOptions): Statement {
  const settings: [string, string][] = [
    ['role', caller.role],
    ['request.jwt.claims', caller.claims],
    ...singleClaimsOf(caller),
    ...(options.settings ?? []),
  ];
  if (options.readOnly) settings.push(['transaction_read_only', 'on']);
  return { text: settingsText(settings.length), values: settings.flat() };
}

/** By number of settings. Reusing the same string object makes the lookup of its prepared statement faster. */
const settingsTexts = new Map<number, string>();

function settingsText(count: number): string {
  const known = settingsTexts.get(count);
  if (known !== undefined) return known;
  const calls = Array.from(
    { length: count },
    (_, i) => `set_config($${i * 2 + 1}, $${i * 2 + 2}, true)`,
  );
  const text = `select ${calls.join(', ')}`;
  settingsTexts.set(count, text);
  return text;
}

/** @returns whether the same exchange may succeed when sent again */
function isRetryable(error: unknown, exchange: Exchange): boolean {
  if (!(error instanceof DatabaseError) || error.code === undefined) return false;
  // A table was altered after the statement was prepared.
  if (error.code === '0A000' && error.message.includes('cached plan')) {
    exchange.forgetPlans();
    return true;
  }
  // A function ran `deallocate` or `discard`.
  if (error.code === '26000') {
    exchange.forgetAll();
    return true;
  }
  return RETRIED.has(error.code);
}

export class Callers {
  readonly #connections: FairPool;

  /** @param onError called for failures outside any request */
  constructor(
    readonly pool: Pool,
    onError: (error: Error) => void,
    limits: ShareLimits = {},
  ) {
    this.#connections = new FairPool(pool, onError, limits);
  }

  /** Connections at work, and exchanges that wait for one. */
  get load(): { inUse: number; waiting: number } {
    return {
      inUse: this.pool.totalCount - this.pool.idleCount,
      waiting: this.#connections.waiting,
    };
  }

  /** As `runAll`, for one statement. */
  async run(caller: Caller, statement: Statement, options: CallOptions = {}): Promise<Reply> {
    const [reply] = await this.runAll(caller, [statement], options);
    if (reply === undefined) throw new Error('The database returned no result.');
    return reply;
  }

  /**
   * Runs independent statements as the caller in one network write and one transaction.
   * Retries deadlocks and serialization failures, so that concurrent users never get a 5xx for them.
   * @returns a reply for each statement, in order
   * @throws pg's DatabaseError, with SQLSTATE, when the database refuses; Cancelled when the client disconnected;
   *   TooManyQueries when too many queries of the same share are waiting; ResultTooLarge
   */
  async runAll(
    caller: Caller,
    statements: Statement[],
    options: CallOptions = {},
  ): Promise<Reply[]> {
    const { resetsSession = !options.readOnly, readOnly: isReadOnly, maxBytes } = options;
    const share = caller.account ?? options.network ?? caller.role;
    const all = [settingsStatement(caller, options), ...statements];
    if (resetsSession) all.push(RESET);
    let isGone = false;
    let current: Exchange | undefined;
    options.onGone?.(() => {
      isGone = true;
      if (current !== undefined) this.#connections.cancel(current, share);
    });
    for (let attempt = 1; ; attempt += 1) {
      const exchange = this.exchange(all, caller, { isReadOnly, maxBytes });
      current = exchange;
      try {
        const replies = await this.#connections.send(exchange, share);
        return replies.slice(1, 1 + statements.length);
      } catch (error) {
        if (isGone) throw new Cancelled();
        if (attempt >= MAX_ATTEMPTS || !isRetryable(error, exchange)) throw error;
      }
      await pause(Math.random() * 10 * 2 ** attempt);
    }
  }

  protected exchange(
    statements: Statement[],
    { role }: Caller,
    options: ExchangeOptions,
  ): Exchange {
    return new Exchange(statements, role, options);
  }

  /**
   * Runs several dependent statements as the caller; commits when `work` resolves, rolls back when it throws.
   * Costs a round trip per statement: prefer `run` where one statement is enough.
   */
  async transaction<T>(
    caller: Caller,
    work: (run: Run) => Promise<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const send = async ({ text, values }: Statement): Promise<Reply> => {
      const { fields, rows, command } = await client.query<(string | null)[]>({
        text,
        values,
        rowMode: 'array',
        types: AS_TEXT,
      });
      return { fields: fields.map(({ name }) => name), rows, command };
    };
    try {
      await client.query('begin');
      await send(settingsStatement(caller, options));
      const result = await work(send);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
