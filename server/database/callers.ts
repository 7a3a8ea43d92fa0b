// Runs callers' queries: role and claims are set for the transaction only.
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { Exchange, type Reply, type Statement } from './exchange.ts';
import { Cancelled, Lanes, type ShareLimits } from './lanes.ts';

export interface Caller {
  /** Database role of the request: anon, authenticated or service_role. */
  role: string;
  /** The token's claims as JSON text; `request.jwt.claims` for the policies. */
  claims: string;
  /** Subject of the token, where it has one: all queries of one account share its part of the connections. */
  account?: string | undefined;
}

export interface CallOptions {
  /** Further settings, local to the transaction, for example `search_path` or `request.headers`. */
  settings?: [name: string, value: string][];
  readOnly?: boolean;
  /** Undoes settings that the statements would leave to the connection; unless said, where they are not read-only. */
  leavesNothing?: boolean;
  /** Network of the request: callers without an account share the connections by it. */
  network?: string | undefined;
  /** Bytes of all rows together; more fails with AnswerTooLarge. A write is committed by then. */
  maxBytes?: number | undefined;
  /** Hands over what is to be called when nobody waits for the result any more: its query is cancelled then. */
  onGone?: (cancel: () => void) => void;
}

/** Runs statements one by one inside a transaction that is already the caller's. */
export type Run = (statement: Statement) => Promise<Reply>;

const TRIES = 5;
const RETRIED = new Set(['40001', '40P01']);
/** `set_config(…, false)` in a function outlives the transaction; what was local ends by itself. */
export const RESET: Statement = { text: 'reset all', values: [] };
/** Values stay the text that PostgreSQL sends. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** The first statement of every request: role, claims and further settings, for this transaction only. */
export function settingsStatement(caller: Caller, options: CallOptions): Statement {
  const settings: [string, string][] = [
    ['role', caller.role],
    ['request.jwt.claims', caller.claims],
    ...(options.settings ?? []),
  ];
  if (options.readOnly) settings.push(['transaction_read_only', 'on']);
  return { text: settingsText(settings.length), values: settings.flat() };
}

/** By how many settings: the same text object is also found faster among the prepared statements. */
const texts = new Map<number, string>();

function settingsText(count: number): string {
  const known = texts.get(count);
  if (known !== undefined) return known;
  const calls = Array.from(
    { length: count },
    (_, i) => `set_config($${i * 2 + 1}, $${i * 2 + 2}, true)`,
  );
  const text = `select ${calls.join(', ')}`;
  texts.set(count, text);
  return text;
}

/** @returns whether the same exchange may well succeed a moment later */
function isWorthTrying(error: unknown, exchange: Exchange): boolean {
  if (!(error instanceof DatabaseError) || error.code === undefined) return false;
  // A table changed under a prepared statement.
  if (error.code === '0A000' && error.message.includes('cached plan')) {
    exchange.forgetPlans();
    return true;
  }
  // A function said `deallocate` or `discard`.
  if (error.code === '26000') {
    exchange.forgetAll();
    return true;
  }
  return RETRIED.has(error.code);
}

export class Callers {
  readonly #lanes: Lanes;

  /** @param onError told about failures that are no request's own */
  constructor(
    readonly pool: Pool,
    onError: (error: Error) => void,
    limits: ShareLimits = {},
  ) {
    this.#lanes = new Lanes(pool, onError, limits);
  }

  /** As `runAll`, for one statement. */
  async run(caller: Caller, statement: Statement, options: CallOptions = {}): Promise<Reply> {
    const [reply] = await this.runAll(caller, [statement], options);
    if (reply === undefined) throw new Error('The database answered without a result.');
    return reply;
  }

  /**
   * Runs statements that do not depend on each other as the caller in one network write and one transaction.
   * Deadlocks and serialization failures are tried again, so that two people at once never see a 5xx.
   * @returns a reply for each statement, in order
   * @throws pg's DatabaseError, with SQLSTATE, when the database refuses; Cancelled when the caller had gone;
   *   TooManyQueries when too many others of the same account are waiting; AnswerTooLarge
   */
  async runAll(
    caller: Caller,
    statements: Statement[],
    options: CallOptions = {},
  ): Promise<Reply[]> {
    const { leavesNothing = !options.readOnly, readOnly: isReadOnly, maxBytes } = options;
    const share = caller.account ?? options.network ?? caller.role;
    const all = [settingsStatement(caller, options), ...statements];
    if (leavesNothing) all.push(RESET);
    let isGone = false;
    let present: Exchange | undefined;
    options.onGone?.(() => {
      isGone = true;
      if (present !== undefined) this.#lanes.cancel(present, share);
    });
    for (let attempt = 1; ; attempt += 1) {
      const exchange = new Exchange(all, caller.role, { isReadOnly, maxBytes });
      present = exchange;
      try {
        const replies = await this.#lanes.send(exchange, share);
        return replies.slice(1, 1 + statements.length);
      } catch (error) {
        if (isGone) throw new Cancelled();
        if (attempt >= TRIES || !isWorthTrying(error, exchange)) throw error;
      }
      await pause(Math.random() * 10 * 2 ** attempt);
    }
  }

  /**
   * Runs several dependent statements as the caller; commits when `work` resolves, rolls back when it throws.
   * Costs a round trip for each step: use `run` where one statement will do.
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
